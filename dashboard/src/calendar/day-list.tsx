import { Box, Text } from "@mantine/core";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import classes from "./calendar.module.css";
import { Entries } from "./entries.tsx";
import { PlanLink } from "./plan-link.tsx";
import { canPlanOn, entriesOn, type ShownMonth } from "./shown-month.ts";
import { nameOfDay, weeksOf } from "./weeks.ts";

/** The days of a month in a list, for a phone. The list begins today. Past days come last, if they have entries. */
export function DayList({ data }: { data: ShownMonth }) {
  const days = weeksOf(data.month).flatMap((week) => week.filter((day) => day !== null));
  const next = days.filter((day) => canPlanOn(data, day));
  const over = days.filter((day) => !canPlanOn(data, day) && entriesOn(data, day).length > 0);
  return (
    <Box hiddenFrom="md">
      {next.length > 0 && <Days data={data} days={next} />}
      {next.length > 0 && over.length > 0 && (
        <Text fw={600} mt="lg" mb="sm">
          {words.calendar.earlierThisMonth}
        </Text>
      )}
      <Days data={data} days={over} />
      {next.length === 0 && over.length === 0 && <Text c="dimmed">{words.calendar.nothing}</Text>}
    </Box>
  );
}

function Days({ data, days }: { data: ShownMonth; days: string[] }) {
  const { canEdit } = useCurrentSite();
  return (
    <ul className={classes.days}>
      {days.map((day) => (
        <li key={day}>
          {canEdit && canPlanOn(data, day) ? (
            <PlanLink day={day} label={nameOfDay(day)} isToday={day === data.today} />
          ) : (
            <Text size="sm" fw={600} mb={4}>
              {nameOfDay(day)}
            </Text>
          )}
          <Entries data={data} day={day} />
        </li>
      ))}
    </ul>
  );
}
