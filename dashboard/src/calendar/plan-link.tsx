import { ButtonLink } from "../components/links.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import classes from "./calendar.module.css";
import { nameOfDay } from "./weeks.ts";

/**
 * A link to Compose, whose *Schedule…* then begins with this day (YYYY-MM-DD). `label`: the day as the calendar shows
 * it.
 */
export function PlanLink({ day, label, isToday }: { day: string; label: string; isToday: boolean }) {
  const { siteId } = useCurrentSite();
  return (
    <ButtonLink
      className={classes.plan}
      variant="subtle"
      size="compact-sm"
      fw={isToday ? 700 : 500}
      to="/sites/$siteId/compose"
      params={{ siteId }}
      search={{ fresh: "yes", day }}
      aria-label={words.calendar.planOn({ day: nameOfDay(day) })}
      rightSection="+"
      justify="space-between"
      fullWidth
    >
      {label}
    </ButtonLink>
  );
}
