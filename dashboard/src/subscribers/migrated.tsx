import { Paper, Progress, Text, Title } from "@mantine/core";
import type { Subscribers } from "../api/calls.ts";
import { count } from "../components/numbers.ts";
import { words } from "../words/words.ts";

/** The number of readers of another push service who have become subscribers, and the number still to come. */
export function Migrated({
  migrateSubscriptions,
}: {
  migrateSubscriptions: NonNullable<Subscribers["migrateSubscriptions"]>;
}) {
  const { readers, lastWeek, former } = migrateSubscriptions;
  return (
    <Paper component="section" aria-label={words.subscribers.migrated}>
      <Title order={2} size="h4" mb="sm">
        {words.subscribers.migrated}
      </Title>
      <Text className="figures">{words.subscribers.migratedSoFar({ n: count(readers), week: count(lastWeek) })}</Text>
      {former !== null && former > 0 && (
        <>
          <Progress my="xs" value={Math.min(100, (100 * readers) / former)} aria-label={words.subscribers.migrated} />
          <Text size="sm" c="dimmed" className="figures">
            {words.subscribers.stillToCome({ n: count(Math.max(0, former - readers)), former: count(former) })}
          </Text>
        </>
      )}
    </Paper>
  );
}
