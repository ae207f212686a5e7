import { Group, Stack, Text } from "@mantine/core";
import type { CampaignRow } from "../api/calls.ts";
import { words } from "../words/words.ts";
import { CampaignTitle } from "./campaign-title.tsx";
import { TextLink } from "./links.tsx";
import { count } from "./numbers.ts";
import { OutcomeBar } from "./outcome-bar.tsx";
import { ReceiptSummary } from "./receipt-summary.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { SentAt } from "./times.tsx";

/** The last sends with their outcomes and receipts. */
export function RecentSends(props: { recent: CampaignRow[]; siteId: string; timeZone: string }) {
  const { recent, siteId, timeZone } = props;
  if (recent.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words.components.noSendsYet}
      </Text>
    );
  }
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {recent.map((campaign) => (
        <li key={campaign.campaignId}>
          <TextLink
            to="/sites/$siteId/campaigns/$campaignId"
            params={{ siteId, campaignId: campaign.campaignId }}
            c="var(--mantine-color-text)"
            fw={500}
            lineClamp={2}
          >
            <CampaignTitle campaign={campaign} />
          </TextLink>
          {campaign.run !== null && (
            <>
              <Group gap={8} my={6} wrap="wrap">
                <StatusBadge status={campaign.status} />
                <Text size="sm" c="dimmed" className="figures">
                  {words.components.reachedOf({
                    accepted: count(campaign.run.accepted),
                    audience: count(campaign.run.audience),
                  })}{" "}
                  · <SentAt at={campaign.run.startedAt} timeZone={timeZone} localTime={campaign.localTime} />
                </Text>
              </Group>
              <OutcomeBar run={campaign.run} size="sm" />
              <ReceiptSummary run={campaign.run} />
            </>
          )}
        </li>
      ))}
    </Stack>
  );
}
