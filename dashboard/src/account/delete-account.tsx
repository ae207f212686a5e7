import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { deleteAccount } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { openPage } from "../layout/leave.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { words } from "../words/words.ts";

/** The section with which people delete their own account. */
export function DeleteAccount() {
  const withRecentSignIn = useRecentSignIn();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Paper component="section" aria-label={words.account.deleteYourAccount} maw={640}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {words.account.deleteYourAccount}
          </Title>
          <Text size="sm" c="dimmed">
            {words.account.deleteAccountLead}
          </Text>
        </div>
        <Group>
          <Button variant="default" onClick={() => setConfirming(true)}>
            {words.account.deleteIt}
          </Button>
        </Group>
      </Stack>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.account.deleteAccountTitle}
        action={words.account.deleteIt}
        act={async () => {
          await withRecentSignIn(deleteAccount);
          openPage("/sign-in");
        }}
      >
        {words.account.deleteAccountWarning}
      </Confirm>
    </Paper>
  );
}
