import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { beginSecondFactor, removeSecondFactor, secondFactor } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError } from "../components/form-error.tsx";
import { Loaded } from "../components/states.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { words } from "../words/words.ts";
import { RecoveryCodes, SetUpApp } from "./set-up-app.tsx";

const key = ["second-factor"];

/** The second factor of the person: its set-up with an app, its recovery codes, and the button that switches it off. */
export function SecondFactor() {
  const query = useQuery({ queryKey: key, queryFn: secondFactor });
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: key });
  return (
    <Paper component="section" aria-label={words.account.authenticatorApp} maw={640}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {words.account.authenticatorApp}
          </Title>
          <Text size="sm" c="dimmed">
            {words.account.authenticatorAppLead}
          </Text>
        </div>
        {recoveryCodes !== null && <RecoveryCodes codes={recoveryCodes} onDone={() => setRecoveryCodes(null)} />}
        <Loaded of={query}>
          {({ isOn, recoveryCodesLeft }) =>
            isOn ? (
              <On recoveryCodesLeft={recoveryCodesLeft} onRemoved={reload} />
            ) : (
              <Off
                onConfirmed={async (codes) => {
                  setRecoveryCodes(codes);
                  await reload();
                  await queries.invalidateQueries({ queryKey: ["sessions"] });
                }}
              />
            )
          }
        </Loaded>
      </Stack>
    </Paper>
  );
}

function Off({ onConfirmed }: { onConfirmed: (codes: string[]) => Promise<void> }) {
  const withRecentSignIn = useRecentSignIn();
  const begin = useMutation({ mutationFn: () => withRecentSignIn(beginSecondFactor) });
  if (begin.data !== undefined) {
    return <SetUpApp app={begin.data} onConfirmed={onConfirmed} onCancel={() => begin.reset()} />;
  }
  return (
    <>
      <FormError error={begin.error} />
      <Group>
        <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
          {words.account.setUpAnApp}
        </Button>
      </Group>
    </>
  );
}

function On({ recoveryCodesLeft, onRemoved }: { recoveryCodesLeft: number; onRemoved: () => Promise<void> }) {
  const withRecentSignIn = useRecentSignIn();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Group justify="space-between">
      <Text size="sm">
        {words.account.authenticatorAppOn({
          recoveryCodesLeft,
          rest: recoveryCodesLeft < 3 ? words.account.newRecoveryCodesHint : "",
        })}
      </Text>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {words.account.switchItOff}
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.account.switchTheAppOff}
        action={words.account.switchItOff}
        refusal={words.account.keepIt}
        act={async () => {
          await withRecentSignIn(removeSecondFactor);
          await onRemoved();
        }}
      >
        {words.account.switchAppOffWarning}
      </Confirm>
    </Group>
  );
}
