import { Alert, Button, Code, Group, Paper, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiKeys, addApiKeyNow, apiKeys, deleteApiKey, type NewApiKey } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { CopyBlock } from "../parts/copy.tsx";
import { FormError, faultIn } from "../parts/form-error.tsx";
import { Icon } from "../parts/icon.tsx";
import { Loaded } from "../parts/states.tsx";
import { Moment } from "../parts/times.tsx";

/** The keys of the REST API: for owners alone. A secret is shown when it is made, and never again. */
export function ApiKeysPart() {
  const { tenantId } = usePlace();
  const [made, setMade] = useState<NewApiKey | null>(null);
  const query = useQuery({ queryKey: ["api-keys", tenantId], queryFn: () => apiKeys(tenantId) });
  return (
    <Paper component="section" aria-label="REST API keys">
      <Title order={2} size="h4" mb={4}>
        REST API keys
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        One for each system that sends. They belong on a server: whoever has one can send to all your readers.
      </Text>
      <Stack>
        <NewKey onMade={setMade} />
        {made !== null && (
          <Alert
            color="yellow"
            variant="light"
            icon={<Icon name="key" />}
            title={`“${made.name}” is shown this once`}
            withCloseButton
            closeButtonLabel="I have it"
            onClose={() => setMade(null)}
          >
            <CopyBlock text={made.secret} label="API key" />
          </Alert>
        )}
        <Loaded of={query}>{({ data }) => <Keys keys={data} />}</Loaded>
      </Stack>
    </Paper>
  );
}

function NewKey({ onMade }: { onMade: (key: NewApiKey) => void }) {
  const { tenantId } = usePlace();
  const [name, setName] = useState("");
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => addApiKeyNow(tenantId, name),
    async onSuccess(key) {
      onMade(key);
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
  const { tenantId, site } = usePlace();
  const [doomed, setDoomed] = useState<Key | null>(null);
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
              <span className="unseen">Delete</span>
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
                  onClick={() => setDoomed(key)}
                >
                  Delete
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={doomed !== null}
        onClose={() => setDoomed(null)}
        title="Delete this key?"
        action="Delete the key"
        act={async () => {
          await deleteApiKey(tenantId, doomed!.keyId);
          await queries.invalidateQueries();
        }}
      >
        Whatever uses “{doomed?.name}” is refused from the next request on.
      </Confirm>
    </Table.ScrollContainer>
  );
}
