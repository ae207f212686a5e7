import { Box, Button, Paper, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type CampaignRow, campaigns, campaignsFile } from "../api/calls.ts";
import type { CampaignFilter } from "../campaigns/filter.ts";
import { Filters } from "../campaigns/filters.tsx";
import { CampaignTitle } from "../components/campaign-title.tsx";
import { figuresEveryMs } from "../components/figures-every.ts";
import { Icon } from "../components/icon.tsx";
import { ButtonLink, TextLink } from "../components/links.tsx";
import { count, share } from "../components/numbers.ts";
import { OutcomeBar } from "../components/outcome-bar.tsx";
import { Page } from "../components/page.tsx";
import { readMore } from "../components/read-more.ts";
import { ReceiptSummary } from "../components/receipt-summary.tsx";
import { EmptyState, Loaded } from "../components/states.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { goesOutAt, momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const pageSize = "25";

export function CampaignsPage() {
  const { tenantId, siteId } = useCurrentSite();
  const chosen: CampaignFilter = useSearch({ strict: false });
  const filter = { siteId, ...chosen };
  // The file ignores the order, because the program that opens it can sort.
  const { sort: _, ...inFile } = filter;
  const query = useInfiniteQuery({
    queryKey: ["campaigns", filter],
    queryFn: ({ pageParam }) =>
      campaigns(tenantId, { ...filter, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => figuresEveryMs(state.data?.pages.flatMap(({ data }) => data)),
  });
  const download = (
    <Button
      component="a"
      variant="default"
      href={campaignsFile(tenantId, inFile)}
      download
      leftSection={<Icon name="download" size={16} />}
    >
      {words.campaigns.exportCsv}
    </Button>
  );
  return (
    <Page title={words.campaigns.campaigns} actions={download}>
      <Filters />
      <Loaded of={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <Nothing isFiltered={Object.keys(chosen).length > 0} />;
          return (
            <Stack>
              <Rows rows={rows} />
              {query.hasNextPage && (
                <Button
                  variant="default"
                  mx="auto"
                  loading={query.isFetchingNextPage}
                  onClick={() => void readMore(query)}
                >
                  {chosen.sort === "clicks" ? words.campaigns.showMore : words.campaigns.showEarlierOnes}
                </Button>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Rows({ rows }: { rows: CampaignRow[] }) {
  const { siteId } = useCurrentSite();
  return (
    <Paper p={0} style={{ overflow: "hidden" }}>
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.campaigns.nudge}</Table.Th>
              <Table.Th w="1%">{words.campaigns.status}</Table.Th>
              <Table.Th w={200} visibleFrom="md">
                {words.campaigns.reached}
              </Table.Th>
              <Table.Th w={170} visibleFrom="md">
                {words.campaigns.sent}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.campaignId}>
                <Table.Td>
                  <TextLink
                    to="/sites/$siteId/campaigns/$campaignId"
                    params={{ siteId, campaignId: row.campaignId }}
                    c="var(--mantine-color-text)"
                    fw={500}
                    lineClamp={2}
                  >
                    <CampaignTitle campaign={row} />
                  </TextLink>
                  {row.groupId !== null && (
                    <Text size="xs" c="dimmed">
                      {words.campaigns.toSeveralSites}
                    </Text>
                  )}
                  <Box hiddenFrom="md">
                    <Sent row={row} />
                    {row.run && <Reached run={row.run} />}
                  </Box>
                </Table.Td>
                <Table.Td>
                  <StatusBadge status={row.status} />
                </Table.Td>
                <Table.Td visibleFrom="md">{row.run && <Reached run={row.run} />}</Table.Td>
                <Table.Td visibleFrom="md">
                  <Sent row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

/** The time at which a campaign was sent or will be sent. For other campaigns, the time at which it was created. */
function Sent({ row }: { row: CampaignRow }) {
  const { site } = useCurrentSite();
  const { run, status, scheduledAt, localTime, createdAt } = row;
  const { created, scheduled } = words.campaigns;
  const moment = (at: string) => momentIn(site.timeZone, at);
  const text =
    run !== null
      ? localTime === null
        ? moment(run.startedAt)
        : goesOutAt(site.timeZone, run.startedAt, localTime)
      : status === "scheduled"
        ? scheduled({ when: goesOutAt(site.timeZone, scheduledAt!, localTime) })
        : created({ when: moment(createdAt) });
  return (
    <Text size="sm" c="dimmed" className="figures">
      {text}
    </Text>
  );
}

function Reached({ run }: { run: NonNullable<CampaignRow["run"]> }) {
  return (
    <Stack gap={6}>
      <Text size="sm" className="figures">
        {count(run.accepted)}{" "}
        <Text component="span" c="dimmed" size="sm">
          {words.campaigns.reachedOf({ audience: count(run.audience), share: share(run.accepted, run.audience) })}
        </Text>
      </Text>
      <OutcomeBar run={run} size="sm" />
      <ReceiptSummary run={run} />
    </Stack>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { siteId, canEdit } = useCurrentSite();
  if (isFiltered) {
    return (
      <EmptyState icon="search" title={words.campaigns.nothingFits}>
        {words.campaigns.nothingFitsHint}
      </EmptyState>
    );
  }
  const compose = (
    <ButtonLink to="/sites/$siteId/compose" params={{ siteId }}>
      {words.campaigns.composeANudge}
    </ButtonLink>
  );
  return (
    <EmptyState icon="campaigns" title={words.campaigns.noCampaignsYet} action={canEdit ? compose : undefined}>
      {words.campaigns.noCampaignsLead}
    </EmptyState>
  );
}
