import { Button, Paper, Table, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Subscribers } from "../api/calls.ts";
import { removeDevice } from "../api/subscriber-calls.ts";
import { usePlace } from "../frame/session.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Moment } from "../parts/times.tsx";
import { NewDevice } from "./new-device.tsx";

/** Who gets the tests: added by a link, and removed. */
export function Devices({ data: { devices } }: { data: Subscribers }) {
  const { canEdit } = usePlace();
  return (
    <Paper component="section" aria-label="Test devices">
      <Title order={2} size="h4" mb={4}>
        Test devices
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        They get what you send as a test, and nothing else.
      </Text>
      {devices.length === 0 ? <Text size="sm">None yet.</Text> : <List devices={devices} />}
      {canEdit && <NewDevice known={devices.length} />}
    </Paper>
  );
}

type Device = Subscribers["devices"][number];
const nameOf = (device: Device) => device.label ?? "Without a name";

function List({ devices }: { devices: Device[] }) {
  const { tenantId, siteId, site, canEdit } = usePlace();
  const [doomed, setDoomed] = useState<Device | null>(null);
  const queries = useQueryClient();
  return (
    <>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="xs">Push service</Table.Th>
            <Table.Th>Since</Table.Th>
            {canEdit && (
              <Table.Th>
                <span className="unseen">Remove</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {devices.map((device) => (
            <Table.Tr key={device.deviceId}>
              <Table.Td dir="auto">{nameOf(device)}</Table.Td>
              <Table.Td visibleFrom="xs">{device.lane}</Table.Td>
              <Table.Td>
                <Moment at={device.createdAt} timeZone={site.timeZone} />
              </Table.Td>
              {canEdit && (
                <Table.Td ta="right">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={`Remove the device ${nameOf(device)}`}
                    onClick={() => setDoomed(device)}
                  >
                    Remove
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={doomed !== null}
        onClose={() => setDoomed(null)}
        title="Remove this test device?"
        action="Remove the device"
        act={async () => {
          await removeDevice(tenantId, siteId, doomed!.deviceId);
          await queries.invalidateQueries();
        }}
      >
        “{doomed && nameOf(doomed)}” gets no tests any more. If its browser still allows notifications, it comes back as
        a reader with its next visit to the site.
      </Confirm>
    </>
  );
}
