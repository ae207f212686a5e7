import { Button, Paper, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { unseenSubscribers } from "../api/subscriber-calls.ts";
import { count, share } from "../components/numbers.ts";
import { nameOfPushService } from "../components/push-service-names.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * The most readers for which the page counts at once. With more, the count reads millions of rows, so a person has to
 * ask for it.
 */
const countedAtOnce = 100_000;

/**
 * The readers whose push service accepts the notifications, but whose browser shows none. Shows nothing if there are
 * none.
 */
export function UnseenSubscribers({ reachable }: { reachable: number }) {
  const { tenantId, siteId } = useCurrentSite();
  const [isAsked, setAsked] = useState(false);
  const isLarge = reachable > countedAtOnce;
  const { data, isFetching } = useQuery({
    queryKey: ["unseen-subscribers", siteId],
    queryFn: () => unseenSubscribers(tenantId, siteId),
    enabled: isAsked || !isLarge,
    staleTime: 300_000,
  });
  const pushServices = data?.pushServices.filter(({ unseen }) => unseen > 0) ?? [];
  if (pushServices.length === 0 && !isLarge) return null;
  return (
    <Paper component="section" aria-label={words.subscribers.unseenReaders}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.unseenReaders}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.subscribers.unseenReadersLead}
      </Text>
      {pushServices.length > 0 && <PushServices pushServices={pushServices} />}
      {data && pushServices.length === 0 && <Text size="sm">{words.subscribers.noneOfThem}</Text>}
      {!data && (
        <Button variant="default" loading={isFetching} onClick={() => setAsked(true)}>
          {words.subscribers.countThem}
        </Button>
      )}
      {!data && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.subscribers.countHint}
        </Text>
      )}
    </Paper>
  );
}

function PushServices({ pushServices }: { pushServices: { pushService: string; reached: number; unseen: number }[] }) {
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.subscribers.pushService}</Table.Th>
          <Table.Th ta="right">{words.subscribers.nudgesTaken}</Table.Th>
          <Table.Th ta="right">{words.subscribers.nothingSeen}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {pushServices.map(({ pushService, reached, unseen }) => (
          <Table.Tr key={pushService}>
            <Table.Td>{nameOfPushService(pushService)}</Table.Td>
            <Table.Td ta="right" className="figures">
              {count(reached)}
            </Table.Td>
            <Table.Td ta="right" className="figures">
              {count(unseen)} ({share(unseen, reached)})
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
