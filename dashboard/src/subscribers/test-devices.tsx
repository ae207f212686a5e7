import { Button, Paper, Table, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Subscribers } from "../api/calls.ts";
import { removeDevice } from "../api/subscriber-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { ButtonLink } from "../components/links.tsx";
import { Moment } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { NewTestDevice } from "./new-test-device.tsx";

/** The test devices of a site. A link adds one, and each can be removed. */
export function TestDevices({ data: { devices } }: { data: Subscribers }) {
  const { siteId, canEdit } = useCurrentSite();
  const { back } = useSearch({ strict: false });
  return (
    <Paper component="section" id="test-devices" aria-label={words.subscribers.testDevices}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.testDevices}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.subscribers.testDevicesLead}
      </Text>
      {devices.length === 0 ? <Text size="sm">{words.subscribers.noTestDevicesYet}</Text> : <List devices={devices} />}
      {canEdit && <NewTestDevice known={devices.length} />}
      {back !== undefined && (
        <ButtonLink variant="default" mt="md" to="/sites/$siteId/compose" params={{ siteId }}>
          {words.subscribers.backToCompose}
        </ButtonLink>
      )}
    </Paper>
  );
}

type Device = Subscribers["devices"][number];
const nameOf = (device: Device) => device.label ?? words.subscribers.withoutAName;

function List({ devices }: { devices: Device[] }) {
  const { tenantId, siteId, site, canEdit } = useCurrentSite();
  const [toDelete, setToDelete] = useState<Device | null>(null);
  const queries = useQueryClient();
  return (
    <>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.subscribers.name}</Table.Th>
            <Table.Th visibleFrom="xs">{words.subscribers.pushService}</Table.Th>
            <Table.Th>{words.subscribers.since}</Table.Th>
            {canEdit && (
              <Table.Th>
                <span className="visually-hidden">{words.subscribers.remove}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {devices.map((device) => (
            <Table.Tr key={device.deviceId}>
              <Table.Td dir="auto">{nameOf(device)}</Table.Td>
              <Table.Td visibleFrom="xs">{device.pushService}</Table.Td>
              <Table.Td>
                <Moment at={device.createdAt} timeZone={site.timeZone} />
              </Table.Td>
              {canEdit && (
                <Table.Td ta="right">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={words.subscribers.removeDeviceLabel({ device: nameOf(device) })}
                    onClick={() => setToDelete(device)}
                  >
                    {words.subscribers.remove}
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={toDelete !== null}
        onClose={() => setToDelete(null)}
        title={words.subscribers.removeDeviceTitle}
        action={words.subscribers.removeDeviceConfirm}
        act={async () => {
          await removeDevice(tenantId, siteId, toDelete!.deviceId);
          await queries.invalidateQueries();
        }}
      >
        {words.subscribers.removeDeviceWarning({ value: (toDelete && nameOf(toDelete)) || "" })}
      </Confirm>
    </>
  );
}
