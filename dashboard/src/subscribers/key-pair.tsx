import { Button, Code, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Subscribers } from "../api/calls.ts";
import { exportKeyPair } from "../api/subscriber-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { saveFile } from "../components/save-file.ts";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { ImportKeyPair } from "./import-key-pair.tsx";

/** The VAPID key pair of a site: exported to another service, or imported from one. */
export function KeyPair({ data: { isEmpty, vapidPublicKey } }: { data: Subscribers }) {
  return (
    <Paper component="section" aria-label="Key pair">
      <Title order={2} size="h4" mb={4}>
        Key pair
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        A browser subscribes to the public key of a site (VAPID), and only a service with the private one can send to
        it. To move between two services take both along, the pair and the subscribers. The public key of this site:{" "}
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
        Export the key pair
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Export the key pair?"
        action="Export the key pair"
        refusal="Do not export"
        act={async () => {
          const pair = await withRecentSignIn(() => exportKeyPair(tenantId, siteId));
          saveFile(`vapid-${siteId}.json`, `${JSON.stringify(pair)}\n`, "application/json");
        }}
      >
        The file holds the private key of “{site.name}”. Anyone who has it, and the subscribers’ file, can send to every
        reader in this site’s name, and that cannot be taken back: no other key reaches these readers. Hand it to the
        new service alone, keep it as you would a password, and delete it afterwards. The audit log records the export.
      </Confirm>
    </>
  );
}
