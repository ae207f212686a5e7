import { Alert, Button, List, Stack, Text } from "@mantine/core";
import type { SetUp } from "../../../src/dashboard-api/set-up.ts";
import { CopyBlock } from "../components/copy.tsx";
import { Icon } from "../components/icon.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { snippetOf } from "../components/snippet.ts";
import { openPage } from "../layout/leave.tsx";
import { words } from "../words/words.ts";

/** The result of the set-up: the API key, which is shown only once, and the install snippet. */
export function SetUpDone({ created, publicUrl }: { created: SetUp; publicUrl: string | null }) {
  const base = (publicUrl ?? document.baseURI).replace(/\/$/, "");
  const snippet = snippetOf(base, created);
  return (
    <SignedOutPage title={words.signedOut.setUpDoneTitle} lead={words.signedOut.setUpDoneLead} width={620}>
      <Stack gap="lg">
        <Alert color="yellow" variant="light" icon={<Icon name="key" />} title={words.signedOut.apiKeyTitle}>
          <Text size="sm" mb="sm">
            {words.signedOut.apiKeyLead}
          </Text>
          <CopyBlock text={created.secret} label={words.signedOut.apiKey} />
        </Alert>
        <div>
          <Text fw={600}>{words.signedOut.installOnYourSite}</Text>
          <List type="ordered" size="sm" spacing="md" mt="sm" styles={{ itemWrapper: { display: "block" } }}>
            <List.Item>
              <CopyBlock
                text={snippet.page}
                label={words.signedOut.lineForEveryPage}
                caption={words.signedOut.snippetHint}
              />
            </List.Item>
            <List.Item>
              <CopyBlock
                text={snippet.worker}
                label={words.signedOut.workerFile}
                caption={words.signedOut.workerFileHint}
              />
            </List.Item>
          </List>
          <Text size="sm" c="dimmed" mt="sm">
            {words.signedOut.integrationsHint}
          </Text>
        </div>
        <Button size="md" onClick={() => openPage(`/sites/${created.siteId}`)}>
          {words.signedOut.openTheDashboard}
        </Button>
      </Stack>
    </SignedOutPage>
  );
}
