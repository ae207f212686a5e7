import { Button, Code, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Subscribers } from "../api/calls.ts";
import { exportKeyPair } from "../api/subscriber-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { saveFile } from "../components/save-file.ts";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { ImportKeyPair } from "./import-key-pair.tsx";

/** The VAPID key pair of a site, with buttons to export it and to import another one. */
export function KeyPair({ data: { isEmpty, vapidPublicKey } }: { data: Subscribers }) {
  return (
    <Paper component="section" aria-label={words.subscribers.keyPair}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.keyPair}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.subscribers.keyPairLead}{" "}
        <Code data-public-key style={{ overflowWrap: "anywhere" }}>
          {vapidPublicKey}
        </Code>
      </Text>
      <Stack align="flex-start">
        <ExportPair />
        <ImportKeyPair isEmpty={isEmpty} />
      </Stack>
    </Paper>
  );
}

function ExportPair() {
  const { tenantId, siteId, site } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)} leftSection={<Icon name="download" size={16} />}>
        {words.subscribers.exportTheKeyPair}
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.subscribers.exportKeyPairTitle}
        action={words.subscribers.exportTheKeyPair}
        refusal={words.subscribers.doNotExport}
        act={async () => {
          const pair = await withRecentSignIn(() => exportKeyPair(tenantId, siteId));
          saveFile(`vapid-${siteId}.json`, `${JSON.stringify(pair)}\n`, "application/json");
        }}
      >
        {words.subscribers.exportKeyPairWarning({ name: site.name })}
      </Confirm>
    </>
  );
}
