import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { nudgesNeeded } from "../../../src/forecast/forecast.ts";
import { type CampaignView, forecast } from "../api/calls.ts";
import { count, share } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * With fewer notifications, the forecast comes mostly from other publishers. The type ensures that it is the
 * service's number.
 */
const fewNudges: typeof nudgesNeeded = 20;

/** The expected result of a campaign, from the site's own notifications. Shows nothing if there are too few of them. */
export function Forecast({ campaign }: { campaign: CampaignView }) {
  const { tenantId } = useCurrentSite();
  const { data } = useQuery({
    queryKey: ["forecast", campaign.campaignId, campaign.updatedAt],
    queryFn: () => forecast(tenantId, campaign.campaignId),
    staleTime: 60_000,
  });
  if (!data?.expected) return null;
  const { readers } = data;
  const { evaluation, tenants, forecast: expected } = data.expected;
  const people = (part: number) => count(Math.round(part * readers));
  const { displayed, clicked, left } = expected;
  const { nudges, gain, isUsed } = evaluation;
  return (
    <Text size="sm" c="dimmed" className="figures" data-forecast={isUsed ? "own" : "mean"}>
      {words.compose.forecast({
        readers: count(readers),
        displayed: `${people(displayed.low)}–${people(displayed.high)}`,
        clicked: `${people(clicked.low)}–${people(clicked.high)}`,
        left: `${people(left.low)}–${people(left.high)}`,
        nudges,
      })}{" "}
      {isUsed ? words.compose.forecastBasis({ gain: share(gain, 1) }) : words.compose.forecastWithoutBasis}
      {nudges < fewNudges && ` ${words.compose.forecastOfOthers({ tenants })}`}
    </Text>
  );
}
