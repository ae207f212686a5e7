import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { confirmPassword } from "../api/calls.ts";
import { ApiError, toApiError } from "../api/client.ts";
import { confirmWithPasskey } from "../api/passkey-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";

import { useStart } from "./session.tsx";

type Asking = { proceed: () => void; cancel: () => void };
type WithRecentSignIn = <Answer>(act: () => Promise<Answer>) => Promise<Answer>;

const RecentSignInContext = createContext<WithRecentSignIn | null>(null);

/**
 * Returns a function that runs an action of the service. If it needs a more recent sign-in, the person is asked for
 * their password and the action runs again. Rejects with the action's error, or with `cancelled`.
 */
export function useRecentSignIn(): WithRecentSignIn {
  const context = useContext(RecentSignInContext);
  if (context === null) throw new Error("useRecentSignIn is only for the pages of signed-in people");
  return context;
}

const cancelled = { code: "cancelled", message: "This was not done, because it needs your password." };

export function RecentSignIn({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const run = useMemo<WithRecentSignIn>(
    () => async (act) => {
      try {
        return await act();
      } catch (error) {
        if (toApiError(error).code !== "reauthentication_required") throw error;
      }
      await new Promise<void>((proceed, reject) => {
        setAsking({ proceed, cancel: () => reject(new ApiError(0, cancelled)) });
      }).finally(() => setAsking(null));
      return act();
    },
    [],
  );
  return (
    <RecentSignInContext value={run}>
      {children}
      {asking !== null && <AskPassword {...asking} />}
    </RecentSignInContext>
  );
}

function AskPassword({ proceed, cancel }: Asking) {
  const [password, setPassword] = useState("");
  const confirm = useMutation({ mutationFn: () => confirmPassword(password), onSuccess: proceed });
  const byPasskey = useMutation({ mutationFn: confirmWithPasskey, onSuccess: proceed });
  const { data } = useStart();
  return (
    <Modal opened onClose={cancel} title={<b>Is it you?</b>} zIndex={300}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          confirm.mutate();
        }}
      >
        <Stack>
          <Text size="sm">You signed in a while ago. Give your password again, and what you asked for goes on.</Text>
          <FormError error={confirm.error ?? byPasskey.error} fields={["password"]} />
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            data-autofocus
            visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={faultIn(confirm.error, "password")}
          />
          <Group justify="flex-end">
            {data?.takesPasskeys && (
              <Button variant="subtle" mr="auto" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
                Use a passkey
              </Button>
            )}
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              Go on
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
