import { Alert, Button, List, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { SetUp } from "../../../src/dashboard-api/set-up.ts";
import { CopyBlock } from "../components/copy.tsx";
import { Icon } from "../components/icon.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { snippetOf } from "../components/snippet.ts";

/** The result of the set-up: the API key, which is shown only once, and the install snippet. */
export function SetUpDone({ created, publicUrl }: { created: SetUp; publicUrl: string | null }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const base = (publicUrl ?? document.baseURI).replace(/\/$/, "");
  const snippet = snippetOf(base, created);
  const openDashboard = async () => {
    await queries.resetQueries();
    await navigate({ to: "/sites/$siteId", params: { siteId: created.siteId } });
  };
  return (
    <SignedOutPage title="Your publication is ready" lead="Two things to take with you." width={620}>
      <Stack gap="lg">
        <Alert color="yellow" variant="light" icon={<Icon name="key" />} title="Your first API key is shown this once">
          <Text size="sm" mb="sm">
            Your CMS sends with it. Keep it on a server, never in a web page. You can always make another one.
          </Text>
          <CopyBlock text={created.secret} label="API key" />
        </Alert>
        <div>
          <Text fw={600}>Install on your site</Text>
          <List type="ordered" size="sm" spacing="md" mt="sm" styles={{ itemWrapper: { display: "block" } }}>
            <List.Item>
              <CopyBlock text={snippet.page} label="line for every page" caption="Into the head of every page:" />
            </List.Item>
            <List.Item>
              <CopyBlock
                text={snippet.worker}
                label="worker file"
                caption="As the file /pressbell-sw.js at the root:"
              />
            </List.Item>
          </List>
          <Text size="sm" c="dimmed" mt="sm">
            Both are under Integrations whenever you need them.
          </Text>
        </div>
        <Button size="md" onClick={() => void openDashboard()}>
          Open the dashboard
        </Button>
      </Stack>
    </SignedOutPage>
  );
}
