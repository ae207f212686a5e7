import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { beginSecondFactor, removeSecondFactor, secondFactor } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError } from "../components/form-error.tsx";
import { plural } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { RecoveryCodes, SetUpApp } from "./set-up-app.tsx";

const key = ["second-factor"];

/** The second factor of the person: its set-up with an app, its recovery codes, and its end. */
export function SecondFactor() {
  const query = useQuery({ queryKey: key, queryFn: secondFactor });
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: key });
  return (
    <Paper component="section" aria-label="A code at the sign-in" maw={640}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            A code at the sign-in
          </Title>
          <Text size="sm" c="dimmed">
            Beside your password the sign-in asks for a code of an app on your phone, so that a stolen password alone
            opens nothing.
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
          Set up an app
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
        It is on. {plural(recoveryCodesLeft, "recovery code is", "recovery codes are")} left
        {recoveryCodesLeft < 3 && "; for new ones switch it off and on again"}.
      </Text>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Switch it off
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Switch the code off?"
        action="Switch it off"
        refusal="Keep it"
        act={async () => {
          await withRecentSignIn(removeSecondFactor);
          await onRemoved();
        }}
      >
        From then on your password alone signs you in. The recovery codes end, too.
      </Confirm>
    </Group>
  );
}
