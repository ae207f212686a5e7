import { Paper, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { calendar } from "../api/calls.ts";
import { recurringSends } from "../api/recurring-send-calls.ts";
import { DayList } from "../calendar/day-list.tsx";
import { Month } from "../calendar/month.tsx";
import { type Move, MoveDialog } from "../calendar/move-dialog.tsx";
import { type OpenForm, RecurringSendList } from "../calendar/recurring-sends.tsx";
import { CalendarActions, type ShownMonth } from "../calendar/shown-month.ts";
import { monthAfter } from "../calendar/weeks.ts";
import { ButtonLink } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { Loaded } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/** The page with what was sent and what is planned, by day. */
export function CalendarPage() {
  const { site } = useCurrentSite();
  const query = useMonth();
  const [open, setOpen] = useState<OpenForm>(null);
  const [move, setMove] = useState<Move | null>(null);
  return (
    <Page
      title={words.calendar.calendar}
      lead={words.calendar.calendarLead({ timeZone: site.timeZone })}
      actions={query.data && <Turn shown={query.data.month} today={query.data.today} />}
    >
      <Loaded of={query}>
        {(data) => (
          <CalendarActions value={{ open: setOpen, move: setMove }}>
            <Paper p={{ base: "md", sm: "xs" }}>
              <Title order={2} size="h4" m={{ base: 0, sm: "xs" }} mb={{ base: "md", sm: "xs" }} aria-live="polite">
                {nameOf(data.month)}
              </Title>
              <Month data={data} />
              <DayList data={data} />
            </Paper>
            <RecurringSendList recurring={data.data} open={open} setOpen={setOpen} />
            <MoveDialog move={move} onClose={() => setMove(null)} />
          </CalendarActions>
        )}
      </Loaded>
    </Page>
  );
}

/** Queries the campaigns of the month, and the occurrences of recurring sends that are not campaigns. */
function useMonth() {
  const { tenantId, siteId } = useCurrentSite();
  const { month } = useSearch({ strict: false }) as { month?: string };
  return useQuery({
    queryKey: ["calendar", siteId, month ?? ""],
    async queryFn(): Promise<ShownMonth> {
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
