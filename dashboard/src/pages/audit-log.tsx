import { Button, NativeSelect, Paper, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AuditEventKind, type AuditEventView, auditLog } from "../api/calls.ts";
import { detailsOf } from "../audit/labels.ts";
import { TextLink } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { Said } from "../components/said.tsx";
import { EmptyState, Loaded } from "../components/states.tsx";
import { momentIn } from "../components/times.tsx";
import { whoDid } from "../components/who.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The audit log, for owners: the newest events first. */
export function AuditLogPage() {
  const { tenantId, tenantName, siteId, isOwner } = useCurrentSite();
  const [kind, setKind] = useState<AuditEventKind | "">("");
  const query = useInfiniteQuery({
    queryKey: ["audit-log", tenantId, kind],
    queryFn: ({ pageParam }) => auditLog(tenantId, { ...(kind && { kind }), ...(pageParam && { cursor: pageParam }) }),
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
    <Page title={words.pages.auditLog} lead={words.pages.whoDidWhat({ tenantName })} actions={back}>
      {!isOwner ? (
        <EmptyState icon="key" title={words.pages.onlyOwnersSeeThis}>
          {words.pages.itSaysWhoSentStopped}
        </EmptyState>
      ) : (
        <Stack>
          <NativeSelect
            label={words.pages.whatHappened}
            maw={260}
            value={kind}
            onChange={(change) => setKind(change.currentTarget.value as AuditEventKind | "")}
            data={[
              { value: "", label: words.pages.everything },
              ...Object.entries(words.audit.kinds).map(([value, label]) => ({ value, label })),
            ]}
          />
          <Loaded of={query}>
            {({ pages }) => {
              const events = pages.flatMap(({ data }) => data);
              if (events.length === 0) return <Nothing />;
              return (
                <>
                  <Events events={events} />
                  {query.hasNextPage && (
                    <Button
                      variant="default"
                      mx="auto"
                      loading={query.isFetchingNextPage}
                      onClick={() => void query.fetchNextPage()}
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

function Nothing() {
  return (
    <EmptyState icon="clock" title={words.pages.nothingOfThisKindYet}>
      {words.pages.whatMembersApiKeysAnd}
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
  const details = detailsOf(event);
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
          <Said>{[siteName, details].filter(Boolean).join(" · ")}</Said>
        </Text>
      )}
    </>
  );
}
