import { Box, Text } from "@mantine/core";
import type { CampaignView } from "../api/calls.ts";
import { NudgeExtras } from "../components/nudge-extras.tsx";
import { OtherHeadlines } from "../components/other-headlines.tsx";

/** The texts of a campaign, shown in the question whether to send it. */
export function NudgeToSend({ campaign }: { campaign: CampaignView }) {
  return (
    <Box p="md" bg="var(--page)" style={{ borderRadius: 12 }}>
      <Text fw={600} dir="auto">
        {campaign.title ?? ""}
      </Text>
      <Text size="sm" dir="auto">
        {campaign.body}
      </Text>
      <OtherHeadlines campaign={campaign} />
      <NudgeExtras campaign={campaign} />
    </Box>
  );
}
