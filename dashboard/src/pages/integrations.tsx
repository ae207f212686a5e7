import { Badge, Group, Paper, Stack, Tabs, Text, Title } from "@mantine/core";
import { CopyBlock } from "../components/copy.tsx";
import { Page } from "../components/page.tsx";
import { snippetOf } from "../components/snippet.ts";
import { ApiKeysSection } from "../integrations/api-keys.tsx";
import { CheckInstallation } from "../integrations/check-installation.tsx";
import { examplesOf, webhookPayload } from "../integrations/examples.ts";
import { useCurrentSite } from "../layout/session.tsx";

export function IntegrationsPage() {
  const { isOwner } = useCurrentSite();
  return (
    <Page title="Integrations" lead="Readers come by your site; stories come from your CMS.">
      <Stack gap="lg">
        <Install />
        <CheckInstallation />
        {isOwner && <ApiKeysSection />}
        <Examples />
        <Webhook />
      </Stack>
    </Page>
  );
}

function Install() {
  const { tenantId, siteId, publicUrl } = useCurrentSite();
  const { page, worker } = snippetOf(publicUrl, { tenantId, siteId });
  return (
    <Paper component="section" aria-label="Install on your site">
      <Title order={2} size="h4" mb={4}>
        Install on your site
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Two lines. Then readers are asked, politely and once, whether they want your news.
      </Text>
      <Stack>
        <CopyBlock text={page} label="line for every page" caption="1. Into the head of every page" />
        <CopyBlock text={worker} label="worker file" caption="2. As a file of its own, /pressbell-sw.js, at the root" />
      </Stack>
    </Paper>
  );
}

function Examples() {
  const { tenantId, siteId, publicUrl, isOwner } = useCurrentSite();
  const examples = examplesOf({ publicUrl, tenantId, siteId });
  return (
    <Paper component="section" aria-label="Send from your CMS">
      <Title order={2} size="h4" mb={4}>
        Send from your CMS
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Create a campaign from a story, then send it. With the ids of this site;{" "}
        {isOwner ? "put a key of yours in PRESSBELL_KEY." : "an owner has the key that belongs in PRESSBELL_KEY."}
      </Text>
      <Tabs defaultValue={examples[0]!.name} keepMounted={false}>
        <Tabs.List mb="sm">
          {examples.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {examples.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name}>
            <CopyBlock text={code} label={`example for ${name}`} caption={`With ${name}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
}

function Webhook() {
  const { siteId } = useCurrentSite();
  return (
    <Paper component="section" aria-label="CMS webhook">
      <Group gap="sm" mb={4}>
        <Title order={2} size="h4">
          CMS webhook
        </Title>
        <Badge variant="light" color="gray" tt="none" c="var(--status-gray)">
          Not available yet
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        For a CMS that calls an address when a story is published: signed with HMAC-SHA256 instead of an API key. This
        is what it is going to send; nothing listens to it today. Use the REST API above.
      </Text>
      <CopyBlock text={webhookPayload(siteId)} label="intended request" caption="Intended request" />
    </Paper>
  );
}
