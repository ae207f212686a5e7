import { Badge, Group, Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import { CopyBlock } from "../components/copy.tsx";
import { Page } from "../components/page.tsx";
import { snippetOf } from "../components/snippet.ts";
import { ApiKeysSection } from "../integrations/api-keys.tsx";
import { CheckInstallation } from "../integrations/check-installation.tsx";
import { examplesOf, webhookPayload } from "../integrations/examples.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

export function IntegrationsPage() {
  const { isOwner } = useCurrentSite();
  return (
    <Page title={words.pages.integrations} lead={words.pages.integrationsLead}>
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
    <Paper component="section" aria-label={words.pages.installOnYourSite}>
      <Title order={2} size="h4" mb={4}>
        {words.pages.installOnYourSite}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.pages.installLead}
      </Text>
      <Stack>
        <CopyBlock text={page} label={words.pages.lineForEveryPage} caption={words.pages.snippetTitle} />
        <CopyBlock text={worker} label={words.pages.workerFile} caption={words.pages.workerFileTitle} />
      </Stack>
    </Paper>
  );
}

function Examples() {
  const { tenantId, siteId, publicUrl, isOwner } = useCurrentSite();
  const examples = examplesOf({ publicUrl, tenantId, siteId });
  const [chosen, choose] = useState(examples[0]!.name);
  const shown = examples.find(({ name }) => name === chosen)!;
  const heading = useId();
  return (
    <Paper component="section" aria-labelledby={heading}>
      <Title id={heading} order={2} size="h4" mb={4}>
        {words.pages.sendFromYourCms}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {isOwner ? words.pages.cmsLeadOfOwner : words.pages.cmsLeadOfOthers}
      </Text>
      <SegmentedControl
        mb="sm"
        aria-labelledby={heading}
        data={examples.map(({ name }) => name)}
        value={shown.name}
        onChange={choose}
      />
      <CopyBlock
        key={shown.name}
        text={shown.code}
        label={words.pages.exampleFor({ name: shown.name })}
        caption={words.pages.withIt({ name: shown.name })}
      />
    </Paper>
  );
}

function Webhook() {
  const { siteId } = useCurrentSite();
  return (
    <Paper component="section" aria-label={words.pages.cmsWebhook}>
      <Group gap="sm" mb={4}>
        <Title order={2} size="h4">
          {words.pages.cmsWebhook}
        </Title>
        <Badge variant="light" color="gray" tt="none" c="var(--status-gray)">
          {words.pages.notAvailableYet}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {words.pages.cmsWebhookLead}
      </Text>
      <CopyBlock
        text={webhookPayload(siteId)}
        label={words.pages.intendedRequest}
        caption={words.pages.intendedRequestTitle}
      />
    </Paper>
  );
}
