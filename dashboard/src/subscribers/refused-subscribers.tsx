import { Button, Paper, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteRefused, refusedSubscribers } from "../api/subscriber-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { count } from "../components/numbers.ts";
import { nameOfPushService } from "../components/push-service-names.ts";
import { type CurrentSite, useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** Returns the query of the subscribers whose push service refuses the site's key pair. */
export const refusedQuery = ({ tenantId, siteId }: CurrentSite) => ({
  queryKey: ["refused-subscribers", siteId],
  queryFn: () => refusedSubscribers(tenantId, siteId),
});

/**
 * The subscribers that their push services refuse, although these services accept the site's messages to others.
 * Shows nothing if there are none.
 */
export function RefusedSubscribers() {
  const { data } = useQuery(refusedQuery(useCurrentSite()));
  if (data === undefined || data.pushServices.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.subscribers.refusedSubscribers}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.refusedSubscribers}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.subscribers.refusedLead}
      </Text>
      <Table verticalSpacing="xs" mb="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.subscribers.pushService}</Table.Th>
            <Table.Th ta="right">{words.subscribers.refusedLately}</Table.Th>
            <Table.Th ta="right">{words.subscribers.excluded}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.pushServices.map(({ pushService, refused, excluded }) => (
            <Table.Tr key={pushService}>
              <Table.Td>{nameOfPushService(pushService)}</Table.Td>
              <Table.Td ta="right" className="figures">
                {count(refused)}
              </Table.Td>
              <Table.Td ta="right" className="figures">
                {count(excluded)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <DeleteExcluded excluded={data.pushServices.reduce((sum, { excluded }) => sum + excluded, 0)} />
    </Paper>
  );
}

function DeleteExcluded({ excluded }: { excluded: number }) {
  const { tenantId, siteId } = useCurrentSite();
  const [isConfirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  async function deleteAll(): Promise<void> {
    while ((await deleteRefused(tenantId, siteId)).hasMore);
    await queries.invalidateQueries();
  }
  return (
    <>
      <Button variant="default" disabled={excluded === 0} onClick={() => setConfirming(true)}>
        {words.subscribers.deleteThoseExcluded}
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.subscribers.deleteExcludedTitle}
        action={words.subscribers.deleteExcludedConfirm({ excluded: count(excluded) })}
        act={deleteAll}
      >
        {words.subscribers.deleteExcludedWarning}
      </Confirm>
    </>
  );
}
