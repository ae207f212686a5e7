import { Button, Group, NativeSelect, Paper, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type CampaignRow, campaigns, campaignsFile } from "../api/calls.ts";
import { CampaignTitle } from "../components/campaign-title.tsx";
import { figuresEveryMs } from "../components/figures-every.ts";
import { Icon } from "../components/icon.tsx";
import { ButtonLink, TextLink } from "../components/links.tsx";
import { count, share } from "../components/numbers.ts";
import { OutcomeBar } from "../components/outcome-bar.tsx";
import { Page } from "../components/page.tsx";
import { ReceiptSummary } from "../components/receipt-summary.tsx";
import { EmptyState, Loaded } from "../components/states.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { goesOutAt, SentAt } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const pageSize = "25";

export function CampaignsPage() {
  const { tenantId, siteId } = useCurrentSite();
  const { status, search } = useSearch({ strict: false });
  const filter = { siteId, ...(status ? { status } : {}), ...(search ? { search } : {}) };
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
      href={campaignsFile(tenantId, filter)}
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
          if (rows.length === 0) return <Nothing isFiltered={Boolean(status || search)} />;
          return (
            <Stack>
              <Rows rows={rows} />
              {query.hasNextPage && (
                <Button
                  variant="default"
                  mx="auto"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {words.campaigns.showEarlierOnes}
                </Button>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** The filter is in the URL, so that a filtered list can be bookmarked and shared. */
function Filters() {
  const { siteId } = useCurrentSite();
  const now = useSearch({ strict: false }) as { status?: string; search?: string };
  const navigate = useNavigate();
  const [text, setText] = useState(now.search ?? "");
  const go = (change: { status?: string; search?: string }) => {
    const { status = "", search = "" } = { ...now, search: text, ...change };
    const next = { ...(status ? { status } : {}), ...(search ? { search } : {}) };
    void navigate({ to: "/sites/$siteId/campaigns", params: { siteId }, search: next, replace: true });
  };
  const goSoon = useDebouncedCallback((search: string) => go({ search }), 300);
  return (
    <Group gap="sm" component="search">
      <TextInput
        aria-label={words.campaigns.searchTitleOrAddress}
        placeholder={words.campaigns.searchTitleOrAddress}
        type="search"
        flex="1 1 240px"
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          goSoon(event.currentTarget.value);
        }}
      />
      <NativeSelect
        aria-label={words.campaigns.status}
        w={170}
        value={now.status ?? ""}
        onChange={(event) => go({ status: event.currentTarget.value })}
        data={[
          { value: "", label: words.campaigns.everyStatus },
          ...Object.entries(words.components.statuses).map(([value, label]) => ({ value, label })),
        ]}
      />
    </Group>
  );
}

function Rows({ rows }: { rows: CampaignRow[] }) {
  const { siteId, site } = useCurrentSite();
  return (
    <Paper p={0} style={{ overflow: "hidden" }}>
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.campaigns.nudge}</Table.Th>
              <Table.Th w={110}>{words.campaigns.status}</Table.Th>
              <Table.Th w={200} visibleFrom="sm">
                {words.campaigns.reached}
              </Table.Th>
              <Table.Th w={150} visibleFrom="sm">
                {words.campaigns.when}
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
                </Table.Td>
                <Table.Td>
                  <StatusBadge status={row.status} />
                </Table.Td>
                <Table.Td visibleFrom="sm">{row.run && <Reached run={row.run} />}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <Text size="sm" c="dimmed">
                    {row.status === "scheduled" ? (
                      goesOutAt(site.timeZone, row.scheduledAt!, row.localTime)
                    ) : (
                      <SentAt
                        at={row.run?.startedAt ?? row.createdAt}
                        timeZone={site.timeZone}
                        localTime={row.run && row.localTime}
                      />
                    )}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
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
        {words.campaigns.noCampaignHasThisStatus}
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
      {words.campaigns.whatYouComposeHereAnd}
    </EmptyState>
  );
}
