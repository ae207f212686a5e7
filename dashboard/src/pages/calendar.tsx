import { Box, Paper, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { createContext, useContext, useState } from "react";
import { type Calendar, calendar } from "../api/calls.ts";
import { type OccurrenceView, type RecurringSends, recurringSends } from "../api/recurring-send-calls.ts";
import classes from "../calendar/calendar.module.css";
import { Entry } from "../calendar/entry.tsx";
import { Occurrence } from "../calendar/occurrence.tsx";
import { type OpenForm, RecurringSendList } from "../calendar/recurring-sends.tsx";
import { monthAfter, weeksOf } from "../calendar/weeks.ts";
import { ButtonLink } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { Loaded } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/** A month as the page shows it. `data`: the recurring sends. */
type Shown = Calendar & Pick<RecurringSends, "occurrences" | "data">;

/** Opens the form of a recurring send. */
const OpenContext = createContext<(form: OpenForm) => void>(() => {});

/** What was sent and is planned, by day. */
export function CalendarPage() {
  const { site } = useCurrentSite();
  const query = useMonth();
  const [open, setOpen] = useState<OpenForm>(null);
  return (
    <Page
      title={words.calendar.calendar}
      lead={words.calendar.whatWasSent({ timeZone: site.timeZone })}
      actions={query.data && <Turn shown={query.data.month} today={query.data.today} />}
    >
      <Loaded of={query}>
        {(data) => (
          <OpenContext value={setOpen}>
            <Paper p={{ base: "md", sm: "xs" }}>
              <Title order={2} size="h4" m={{ base: 0, sm: "xs" }} mb={{ base: "md", sm: "xs" }} aria-live="polite">
                {nameOf(data.month)}
              </Title>
              <Month data={data} />
              <Days data={data} />
            </Paper>
            <RecurringSendList recurring={data.data} open={open} setOpen={setOpen} />
          </OpenContext>
        )}
      </Loaded>
    </Page>
  );
}

/** Queries the campaigns of the month, and what of recurring sends is no campaign. */
function useMonth() {
  const { tenantId, siteId } = useCurrentSite();
  const { month } = useSearch({ strict: false }) as { month?: string };
  return useQuery({
    queryKey: ["calendar", siteId, month ?? ""],
    async queryFn(): Promise<Shown> {
      const sent = await calendar(tenantId, siteId, month);
      const { data, occurrences } = await recurringSends(tenantId, siteId, sent.month);
      return { ...sent, data, occurrences: occurrences.filter(({ outcome }) => outcome !== "sent") };
    },
    placeholderData: keepPreviousData,
  });
}

const nameOf = (month: string) =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01`));

function Turn({ shown, today }: { shown: string; today: string }) {
  const { siteId } = useCurrentSite();
  const to = (label: string, month: string) => (
    <ButtonLink variant="default" to="/sites/$siteId/calendar" params={{ siteId }} search={{ month }}>
      {label}
    </ButtonLink>
  );
  return (
    <>
      {to(words.calendar.earlier, monthAfter(shown, -1))}
      {shown !== today.slice(0, 7) && to(words.calendar.thisMonth, today.slice(0, 7))}
      {to(words.calendar.later, monthAfter(shown, 1))}
    </>
  );
}

/** From Monday on, which 1 January 2024 was. */
const weekdays = Array.from({ length: 7 }, (_, day) =>
  new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + day)),
);

const entriesOn = ({ entries, occurrences }: Shown, day: string | null) =>
  [...entries, ...occurrences].filter((entry) => entry.day === day).sort((a, b) => (a.at < b.at ? -1 : 1));

/** The month as a table of weeks, where there is room for one. */
function Month({ data }: { data: Shown }) {
  return (
    <Box component="table" className={classes.month} visibleFrom="md">
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(data.month).map((week, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: weeks have no other name
          <tr key={row}>
            {week.map((day, column) => (
              <td key={weekdays[column]} className={day === data.today ? classes.today : undefined}>
                {day !== null && (
                  <Text size="sm" fw={day === data.today ? 700 : 500} mb={4}>
                    {Number(day.slice(8))}
                  </Text>
                )}
                <Entries data={data} day={day} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}

/** The days on which there is something, one below the other. */
function Days({ data }: { data: Shown }) {
  const days = [...new Set([...data.entries, ...data.occurrences].map(({ day }) => day))].sort();
  const format = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
  return (
    <Box hiddenFrom="md">
      {days.length === 0 && <Text c="dimmed">{words.calendar.nothing}</Text>}
      <ul className={classes.days}>
        {days.map((day) => (
          <li key={day}>
            <Text size="sm" fw={600} mb={4} c={day === data.today ? "var(--mantine-color-anchor)" : undefined}>
              {format.format(new Date(day))}
            </Text>
            <Entries data={data} day={day} />
          </li>
        ))}
      </ul>
    </Box>
  );
}

function Entries({ data, day }: { data: Shown; day: string | null }) {
  const entries = entriesOn(data, day);
  if (entries.length === 0) return null;
  return (
    <ul className={classes.entries}>
      {entries.map((entry) =>
        "recurringSendId" in entry ? (
          <li key={entry.recurringSendId}>
            <OccurrenceOf entry={entry} data={data} />
          </li>
        ) : (
          <li key={entry.campaignId}>
            <Entry entry={entry} />
          </li>
        ),
      )}
    </ul>
  );
}

function OccurrenceOf({ entry, data }: { entry: OccurrenceView; data: Shown }) {
  const { canEdit } = useCurrentSite();
  const open = useContext(OpenContext);
  const of = data.data.find(({ recurringSendId }) => recurringSendId === entry.recurringSendId)!;
  return <Occurrence occurrence={entry} of={of} change={canEdit ? () => open(of) : null} />;
}
