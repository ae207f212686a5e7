import { Paper, Table, Text, Title } from "@mantine/core";
import type { SendFacts } from "../api/calls.ts";
import { count, share } from "../components/numbers.ts";
import { nameOfPushService } from "../components/push-service-names.ts";
import { words } from "../words/words.ts";

/** The figures of a run by push service: how many of its people were reached there. */
export function PushServices({ pushServices }: { pushServices: SendFacts["pushServices"] }) {
  if (pushServices.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.campaign.byPushService}>
      <Title order={2} size="h4" mb="sm">
        {words.campaign.byPushService}
      </Title>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.campaign.browsers}</Table.Th>
            <Table.Th ta="right">{words.campaign.reached}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pushServices.map(({ pushService, ...counts }) => {
            const size = Object.values(counts).reduce((sum, n) => sum + n, 0);
            return (
              <Table.Tr key={pushService}>
                <Table.Td>
                  {pushService === "none" ? words.campaign.notLookedUp : nameOfPushService(pushService)}
                </Table.Td>
                <Table.Td ta="right">
                  {words.campaign.reachedOf({ accepted: count(counts.accepted), size: count(size) })}{" "}
                  <Text component="span" size="sm" c="dimmed" ml="xs">
                    {share(counts.accepted, size)}
                  </Text>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
