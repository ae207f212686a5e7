import { Alert, Button, Code, Group, Paper, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiKeys, addApiKeyNow, apiKeys, deleteApiKey, type NewApiKey } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { CopyBlock } from "../components/copy.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { Loaded } from "../components/states.tsx";
import { Moment } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";

/** The API keys of the tenant, for owners only. A secret is shown only when its key is created. */
export function ApiKeysSection() {
  const { tenantId } = useCurrentSite();
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const query = useQuery({ queryKey: ["api-keys", tenantId], queryFn: () => apiKeys(tenantId) });
  return (
    <Paper component="section" aria-label="REST API keys">
      <Title order={2} size="h4" mb={4}>
        REST API keys
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        One for each system that sends. They belong on a server: anyone who has one can send to all your readers.
      </Text>
      <Stack>
        <NewKey onCreated={setCreated} />
        {created !== null && (
          <Alert
            color="yellow"
            variant="light"
            icon={<Icon name="key" />}
            title={`“${created.name}” is shown this once`}
            withCloseButton
            closeButtonLabel="I have it"
            onClose={() => setCreated(null)}
          >
            <CopyBlock text={created.secret} label="API key" />
          </Alert>
        )}
        <Loaded of={query}>{({ data }) => <Keys keys={data} />}</Loaded>
      </Stack>
    </Paper>
  );
}

function NewKey({ onCreated }: { onCreated: (key: NewApiKey) => void }) {
  const { tenantId } = useCurrentSite();
  const [name, setName] = useState("");
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => addApiKeyNow(tenantId, name),
    async onSuccess(key) {
      onCreated(key);
      setName("");
      await queries.invalidateQueries({ queryKey: ["api-keys", tenantId] });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Stack gap="xs">
        <FormError error={add.error} fields={["name"]} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Name of a new key"
            placeholder="Our CMS"
            flex={1}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultIn(add.error, "name")}
          />
          <Button type="submit" variant="default" loading={add.isPending}>
            Make a key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Key = ApiKeys["data"][number];

function Keys({ keys }: { keys: Key[] }) {
  const { tenantId, site } = useCurrentSite();
  const [toDelete, setToDelete] = useState<Key | null>(null);
  const queries = useQueryClient();
  if (keys.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No key yet: nothing can send over the API.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Begins with</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>
              <span className="visually-hidden">Delete</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.keyId}>
              <Table.Td dir="auto">{key.name}</Table.Td>
              <Table.Td>
                <Code>{key.prefix}…</Code>
              </Table.Td>
              <Table.Td>{key.lastUsedAt ? <Moment at={key.lastUsedAt} timeZone={site.timeZone} /> : "never"}</Table.Td>
              <Table.Td ta="right">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={`Delete the key ${key.name}`}
                  onClick={() => setToDelete(key)}
                >
                  Delete
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={toDelete !== null}
        onClose={() => setToDelete(null)}
        title="Delete this key?"
        action="Delete the key"
        act={async () => {
          await deleteApiKey(tenantId, toDelete!.keyId);
          await queries.invalidateQueries();
        }}
      >
        Whatever uses “{toDelete?.name}” is refused from the next request on.
      </Confirm>
    </Table.ScrollContainer>
  );
}
