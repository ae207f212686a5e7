import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { sendHours } from "../api/calls.ts";
import { share } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { nextAt } from "./zone-time.ts";

/** The hours at which readers clicked the site's notifications most, as buttons, and how certain these hours are. */
export function BestHours({ local, choose }: { local: string; choose: (local: string) => void }) {
  const { tenantId, siteId, site } = useCurrentSite();
  const { data } = useQuery({
    queryKey: ["send-hours", siteId],
    queryFn: () => sendHours(tenantId, siteId),
    staleTime: 300_000,
  });
  if (data === undefined) return null;
  const { hours, nudges, needed, isClear } = data;
  if (hours.length === 0)
    return (
      <Text size="sm" c="dimmed" data-best-hours="unknown">
        {words.compose.bestHourIsUnknown({ needed })}
      </Text>
    );
  return (
    <Stack gap={4} data-best-hours={isClear ? "clear" : "unclear"}>
      <Group gap="xs" role="group" aria-label={words.compose.mostClickedHere}>
        <Text size="sm">{words.compose.mostClickedHere}</Text>
        {hours.map(({ hour, clicked }) => {
          const next = nextAt(site.timeZone, hour, Date.now());
          return (
            <Button
              key={hour}
              size="compact-sm"
              radius="xl"
              variant={next === local ? "filled" : "light"}
              onClick={() => choose(next)}
            >
              {words.compose.hourAndShare({ hour: `${hour}:00`, share: share(clicked, 1) })}
            </Button>
          );
        })}
      </Group>
      <Text size="sm" c="dimmed" className="figures">
        {isClear ? words.compose.hourIsClear({ nudges }) : words.compose.hourMayBeChance({ nudges })}
      </Text>
    </Stack>
  );
}
