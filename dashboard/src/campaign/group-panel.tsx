import { Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CampaignRow } from "../api/calls.ts";
import { campaignGroup, type GroupView, stopGroup } from "../api/group-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { figuresEveryMs } from "../components/figures-every.ts";
import { Icon } from "../components/icon.tsx";
import { TextLink } from "../components/links.tsx";
import { count } from "../components/numbers.ts";
import { StatusBadge } from "../components/status-badge.tsx";
import { useNamesOfSites } from "../compose/other-sites.ts";
import { useCanEdit, useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * The campaigns of one request for several sites: the state and figures of each, their sums, and a button that stops
 * all.
 */
export function GroupPanel({ groupId, campaignId }: { groupId: string; campaignId: string }) {
  const { tenantId } = useCurrentSite();
  const { data } = useQuery({
    queryKey: ["campaign-group", groupId],
    queryFn: () => campaignGroup(tenantId, groupId),
    refetchInterval: ({ state }) => figuresEveryMs(state.data?.campaigns),
  });
  // A site that was erased, or moved to another installation, is no longer part of its group.
  if (data === undefined || data.campaigns.length < 2) return null;
  const { campaigns } = data;
  const sent = campaigns.filter(({ run }) => run !== null).length;
  const title = sent > 0 ? words.campaign.sentToSites({ n: sent }) : words.campaign.forSites({ n: campaigns.length });
  return (
    <Paper component="section" aria-label={title} data-testid="group">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <StopAll group={data} />
      </Group>
      <Figures group={data} campaignId={campaignId} />
    </Paper>
  );
}

function Figures({ group: { campaigns, totals }, campaignId }: { group: GroupView; campaignId: string }) {
  const { site, reached, clicked, together } = words.campaign;
  return (
    <Table.ScrollContainer
      minWidth={0}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": site, role: "region" } }}
    >
      <Table verticalSpacing="xs" className="figures" aria-label={site}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{site}</Table.Th>
            <Table.Th ta="right">{reached}</Table.Th>
            <Table.Th ta="right">{clicked}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {campaigns.map((campaign) => (
            <SiteRow key={campaign.campaignId} campaign={campaign} isHere={campaign.campaignId === campaignId} />
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>{together}</Table.Th>
            <Numbers run={totals} />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}

function SiteRow({ campaign, isHere }: { campaign: CampaignRow; isHere: boolean }) {
  const nameOf = useNamesOfSites();
  const { siteId, campaignId, status, run } = campaign;
  const name = <bdi>{nameOf(siteId)}</bdi>;
  return (
    <Table.Tr data-site={siteId}>
      <Table.Td>
        {isHere ? (
          <Text span fw={600} size="sm">
            {name}
          </Text>
        ) : (
          <TextLink to="/sites/$siteId/campaigns/$campaignId" params={{ siteId, campaignId }}>
            {name}
          </TextLink>
        )}{" "}
        <StatusBadge status={status} />
      </Table.Td>
      {run === null ? <Table.Td colSpan={2} /> : <Numbers run={run} />}
    </Table.Tr>
  );
}

function Numbers({ run }: { run: Pick<GroupView["totals"], "accepted" | "audience" | "clicked"> }) {
  const { accepted, audience, clicked } = run;
  return (
    <>
      <Table.Td ta="right">{words.campaign.reachedOf({ accepted: count(accepted), size: count(audience) })}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
        {count(clicked)}
      </Table.Td>
    </>
  );
}

function StopAll({ group: { groupId, campaigns } }: { group: GroupView }) {
  const { tenantId } = useCurrentSite();
  const canEdit = useCanEdit();
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const isOpen = campaigns.some(({ status }) => status === "sending");
  const canStop = campaigns.every(({ siteId }) => canEdit(siteId));
  if (!canStop || !(isOpen || isConfirming)) return null;
  return (
    <>
      <Button color="red.9" leftSection={<Icon name="stop" size={16} />} onClick={() => setConfirming(true)}>
        {words.campaign.stopAll}
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.campaign.stopAllSends}
        action={words.campaign.stopAll}
        act={async () => {
          await stopGroup(tenantId, groupId);
          await queries.invalidateQueries();
        }}
      >
        {words.campaign.stopWarning}
      </Confirm>
    </>
  );
}
