import { Alert, Button, Code, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiKeys, apiKeys, deleteApiKey, type NewApiKey } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { CopyBlock } from "../components/copy.tsx";
import { Icon } from "../components/icon.tsx";
import { Loaded } from "../components/states.tsx";
import { Moment } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { NewKey, scopeLabels } from "./new-key.tsx";

/** The API keys of the tenant, for owners only. A secret is shown only when its key is created. */
export function ApiKeysSection() {
  const { tenantId } = useCurrentSite();
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const query = useQuery({ queryKey: ["api-keys", tenantId], queryFn: () => apiKeys(tenantId) });
  return (
    <Paper component="section" aria-label={words.integrations.restApiKeys}>
      <Title order={2} size="h4" mb={4}>
        {words.integrations.restApiKeys}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.integrations.apiKeysLead}
      </Text>
      <Stack>
        <NewKey onCreated={setCreated} />
        {created !== null && (
          <Alert
            color="yellow"
            variant="light"
            icon={<Icon name="key" />}
            title={words.integrations.newKeyTitle({ name: created.name })}
            withCloseButton
            closeButtonLabel={words.integrations.iHaveIt}
            onClose={() => setCreated(null)}
          >
            <CopyBlock text={created.secret} label={words.integrations.apiKey} />
          </Alert>
        )}
        <Loaded of={query}>{({ data }) => <Keys keys={data} />}</Loaded>
      </Stack>
    </Paper>
  );
}

type Key = ApiKeys["data"][number];

function Keys({ keys }: { keys: Key[] }) {
  const { tenantId } = useCurrentSite();
  const [toDelete, setToDelete] = useState<Key | null>(null);
  const queries = useQueryClient();
  if (keys.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words.integrations.noKeysYet}
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.integrations.name}</Table.Th>
            <Table.Th visibleFrom="sm">{words.integrations.beginsWith}</Table.Th>
            <Table.Th>{words.integrations.may}</Table.Th>
            <Table.Th visibleFrom="sm">{words.integrations.lastUsed}</Table.Th>
            <Table.Th visibleFrom="sm">{words.integrations.ends}</Table.Th>
            <Table.Th>
              <span className="visually-hidden">{words.integrations.deleteIt}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.keyId}>
              <Table.Td>
                <bdi>{key.name}</bdi>
                <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
                  {words.integrations.usedAndEnds({
                    prefix: key.prefix,
                    used: <KeyTime at={key.lastUsedAt} />,
                    ends: <KeyTime at={key.expiresAt} />,
                  })}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Code>{key.prefix}…</Code>
              </Table.Td>
              <Table.Td>
                {key.scopes?.map((scope) => scopeLabels[scope]).join(", ") ?? words.integrations.everything}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <KeyTime at={key.lastUsedAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <KeyTime at={key.expiresAt} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={words.integrations.deleteKeyLabel({ name: key.name })}
                  onClick={() => setToDelete(key)}
                >
                  {words.integrations.deleteIt}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={toDelete !== null}
        onClose={() => setToDelete(null)}
        title={words.integrations.deleteKeyTitle}
        action={words.integrations.deleteKeyConfirm}
        act={async () => {
          await deleteApiKey(tenantId, toDelete!.keyId);
          await queries.invalidateQueries();
        }}
      >
        {words.integrations.deleteKeyWarning({ name: toDelete?.name ?? "" })}
      </Confirm>
    </Table.ScrollContainer>
  );
}

function KeyTime({ at }: { at: string | null | undefined }) {
  const { timeZone } = useCurrentSite().site;
  return at ? <Moment at={at} timeZone={timeZone} /> : words.integrations.never;
}
