import { Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { HoldoutDifference, HoldoutEffect } from "../../../src/holdouts/effect.ts";
import { holdouts } from "../api/holdout-calls.ts";
import { nameOfClass, useClassRules } from "../components/class-names.ts";
import { Figures } from "../components/figures.tsx";
import { decimal, signed } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * What the notifications of each class win and lose, compared with readers who do not get them. Shows nothing if
 * every reader gets them.
 */
export function Holdouts() {
  const { tenantId, siteId } = useCurrentSite();
  // This is read with the first answers, because a page has few requests to spare.
  const rules = useClassRules();
  const query = useQuery({
    queryKey: ["holdouts", siteId],
    queryFn: () => holdouts(tenantId, siteId),
    refetchInterval: 300_000,
  });
  if (!query.data || query.data.classes.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.overview.holdouts.title}>
      <Title order={2} size="h4">
        {words.overview.holdouts.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.overview.holdouts.lead}
      </Text>
      <Stack gap="md">
        {query.data.classes.map((effect) => (
          <Effect key={effect.class} effect={effect} name={nameOfClass(effect.class, rules?.[effect.class])} />
        ))}
      </Stack>
    </Paper>
  );
}

function Effect({ effect: { visits, left, heldOut, days }, name }: { effect: HoldoutEffect; name: string }) {
  const { withNudges, without, effect, counted, leftLater, notCounted, ...rows } = words.overview.holdouts;
  if (visits === null) return <Text size="sm">{notCounted({ name })}</Text>;
  return (
    <div>
      <Figures
        name={name}
        minWidth={300}
        heads={[withNudges, without, effect]}
        rows={[
          { name: rows.visits, cells: cellsOf(visits) },
          ...(left === null ? [] : [{ name: rows.left, cells: cellsOf(left) }]),
        ]}
      />
      <Text size="sm" c="dimmed" mt={4}>
        {counted({ heldOut, days })} {left === null && leftLater}
      </Text>
    </div>
  );
}

function cellsOf({ others, heldOut, difference: { low, middle, high } }: HoldoutDifference): string[] {
  const range = words.overview.holdouts.range({ middle: signed(middle), low: signed(low), high: signed(high) });
  return [decimal(others), decimal(heldOut), range];
}
