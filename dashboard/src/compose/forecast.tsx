import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type CampaignView, forecast } from "../api/calls.ts";
import { count, share } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** What to expect of a campaign, from the site's own nudges. Nothing while there are too few. */
export function Forecast({ campaign }: { campaign: CampaignView }) {
  const { tenantId } = useCurrentSite();
  const { data } = useQuery({
    queryKey: ["forecast", campaign.campaignId, campaign.updatedAt],
    queryFn: () => forecast(tenantId, campaign.campaignId),
    staleTime: 60_000,
  });
  if (!data?.forecast) return null;
  const { readers, evaluation, forecast: expected } = data;
  const people = (part: number) => count(Math.round(part * readers));
  const { clicked, left } = expected;
  const { nudges, gain, isUsed } = evaluation;
  return (
    <Text size="sm" c="dimmed" className="figures" data-forecast={isUsed ? "own" : "mean"}>
      {words.compose.expect({
        readers: count(readers),
        clicked: `${people(clicked.low)}–${people(clicked.high)}`,
        left: `${people(left.low)}–${people(left.high)}`,
        nudges,
      })}{" "}
      {isUsed ? words.compose.whatExplains({ gain: share(gain, 1) }) : words.compose.nothingExplains}
    </Text>
  );
}
