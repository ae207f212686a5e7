import { Button, Paper, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type AuditEventView, auditLog, peopleOfLog } from "../api/calls.ts";
import { type AuditFilter, filterIn } from "../audit/filter.ts";
import { detailsOf } from "../audit/labels.ts";
import { ChoiceField, DayField } from "../components/filter-fields.tsx";
import { TextLink } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { readMore } from "../components/read-more.ts";
import { EmptyState, Loaded } from "../components/states.tsx";
import { momentIn } from "../components/times.tsx";
import { whoDid } from "../components/who.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The audit log, for owners: the newest events first. */
export function AuditLogPage() {
  const { tenantId, tenantName, siteId, site, isOwner } = useCurrentSite();
  const chosen: AuditFilter = useSearch({ strict: false });
  const filter = { ...chosen, timeZone: site.timeZone };
  const query = useInfiniteQuery({
    queryKey: ["audit-log", tenantId, filter],
    queryFn: ({ pageParam }) => auditLog(tenantId, { ...filter, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    enabled: isOwner,
  });
  const back = (
    <TextLink to="/sites/$siteId/settings" params={{ siteId }} size="sm">
      {words.pages.settings}
    </TextLink>
  );
  return (
    <Page title={words.pages.auditLog} lead={words.pages.auditLogLead({ tenantName })} actions={back}>
      {!isOwner ? (
        <EmptyState icon="key" title={words.pages.auditLogForbiddenTitle}>
          {words.pages.auditLogForbiddenHint}
        </EmptyState>
      ) : (
        <Stack>
          <Filters />
          <Loaded of={query}>
            {({ pages }) => {
              const events = pages.flatMap(({ data }) => data);
              if (events.length === 0) return <Nothing isFiltered={Object.keys(chosen).length > 0} />;
              return (
                <>
                  <Events events={events} />
                  {query.hasNextPage && (
                    <Button
                      variant="default"
                      mx="auto"
                      loading={query.isFetchingNextPage}
                      onClick={() => void readMore(query)}
                    >
                      {words.pages.showEarlierOnes}
                    </Button>
                  )}
                </>
              );
            }}
          </Loaded>
        </Stack>
      )}
    </Page>
  );
}

/** The fields that filter the log. The filter is in the address. */
function Filters() {
  const { tenantId, siteId } = useCurrentSite();
  const now: AuditFilter = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data } = useQuery({ queryKey: ["audit-log", tenantId, "people"], queryFn: () => peopleOfLog(tenantId) });
  const go = (change: AuditFilter) =>
    void navigate({
      to: "/sites/$siteId/settings/audit-log",
      params: { siteId },
      replace: true,
      resetScroll: false,
      search: filterIn({ ...now, ...change }),
    });
  return (
    <SimpleGrid component="search" cols={{ base: 2, md: 4 }} spacing="sm" verticalSpacing="xs">
      <ChoiceField
        label={words.pages.whatHappened}
        all={words.pages.everything}
        value={now.kind}
        onChange={(kind) => go({ kind })}
        options={Object.entries(words.audit.kinds)}
      />
      <ChoiceField
        label={words.pages.who}
        all={words.pages.everybody}
        value={now.userId}
        onChange={(userId) => go({ userId })}
        options={(data?.data ?? []).map(({ userId, label }) => [userId, label])}
      />
      <DayField label={words.pages.fromDay} value={now.from} onChange={(from) => go({ from })} />
      <DayField label={words.pages.untilDay} value={now.to} onChange={(to) => go({ to })} />
    </SimpleGrid>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon="search" title={words.pages.nothingFits}>
        {words.pages.nothingFitsHint}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="clock" title={words.pages.nothingYet}>
      {words.pages.nothingYetHint}
    </EmptyState>
  );
}

function Events({ events }: { events: AuditEventView[] }) {
  const { site } = useCurrentSite();
  return (
    <Paper p={0} style={{ overflow: "hidden" }}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.pages.what}</Table.Th>
            <Table.Th w={220} visibleFrom="sm">
              {words.pages.who}
            </Table.Th>
            <Table.Th w={130}>{words.pages.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.eventId} data-event={event.event}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <What event={event} />
                <Text size="sm" c="dimmed" hiddenFrom="sm">
                  {whoDid(event.by)}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm" style={{ overflowWrap: "anywhere" }}>
                <Text size="sm">{whoDid(event.by)}</Text>
              </Table.Td>
              <Table.Td>
                <Text size="sm" c="dimmed">
                  <time
                    dateTime={event.at}
                    title={`${momentIn(site.timeZone, event.at, { seconds: true })} (${site.timeZone})`}
                  >
                    {momentIn(site.timeZone, event.at)}
                  </time>
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function What({ event }: { event: AuditEventView }) {
  const { siteName, subjectName } = event;
  const { site } = useCurrentSite();
  const details = detailsOf(event, site.timeZone);
  return (
    <>
      <Text size="sm" fw={500}>
        {words.audit.events[event.event]}
        {subjectName !== null && (
          <>
            : <bdi>{subjectName}</bdi>
          </>
        )}
      </Text>
      {(siteName !== null || details !== "") && (
        <Text size="sm" c="dimmed">
          {[siteName, details].filter(Boolean).join(" · ")}
        </Text>
      )}
    </>
  );
}
