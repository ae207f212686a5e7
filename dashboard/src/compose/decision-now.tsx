import { Box, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CampaignView } from "../api/calls.ts";
import { Reasons } from "../components/reasons.tsx";
import { worthOf } from "../components/worth.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { draftOf } from "./draft.ts";
import { decidedOn, verdictQuery } from "./verdict-query.ts";

/**
 * The present decision on a campaign's story, with its reasons. Shows nothing for a correction or a campaign in
 * manual mode.
 */
export function DecisionNow({ campaign }: { campaign: CampaignView }) {
  const isChecked = campaign.mode === "url" && campaign.corrects === null;
  const { data } = useQuery({
    ...verdictQuery(useCurrentSite(), isChecked ? decidedOn(draftOf(campaign)) : { url: "" }),
    enabled: isChecked,
    // The page may have read the decision some time ago.
    staleTime: 0,
  });
  if (!isChecked) return null;
  return (
    <Box component="section" aria-label={words.compose.verdictTitle} data-decision-now={data?.decision}>
      {data === undefined ? (
        <Text size="sm" c="dimmed">
          {words.compose.verdictLoading}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={600} mb={6} c={data.decision === "send" ? undefined : "var(--status-red)"}>
            {worthOf(data)}
            {data.decision === "send" && ` · ${words.compose.storyScore({ score: Math.round(data.score * 100) })}`}
          </Text>
          <Reasons reasons={data.reasons} />
        </>
      )}
    </Box>
  );
}
