import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { confirmPassword, requireRecentSignIn } from "../api/calls.ts";
import { confirmWithPasskey } from "../api/passkey-calls.ts";
import { confirmByProvider } from "../api/provider-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { words } from "../words/words.ts";
import { useStart } from "./session.tsx";

export type Asking = { proceed: () => void; cancel: () => void };

/** The dialog in which users prove again who they are: by password, passkey or the provider. */
export function AskPassword({ proceed, cancel }: Asking) {
  const [password, setPassword] = useState("");
  const confirm = useMutation({ mutationFn: () => confirmPassword(password), onSuccess: proceed });
  const byPasskey = useMutation({ mutationFn: confirmWithPasskey, onSuccess: proceed });
  const byProvider = useMutation({ mutationFn: confirmByProvider });
  // The tab of the provider cannot tell this tab when it is done, so this tab asks the service.
  useQuery({
    queryKey: ["recent sign-in"],
    async queryFn() {
      await requireRecentSignIn();
      proceed();
      return true;
    },
    enabled: byProvider.isSuccess,
    refetchInterval: 1_000,
    gcTime: 0,
    retry: false,
  });
  const { data } = useStart();
  return (
    <Modal opened onClose={cancel} title={<b>{words.layout.askPasswordTitle}</b>} zIndex={300}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          confirm.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{words.layout.askPasswordLead}</Text>
          <FormError error={confirm.error ?? byPasskey.error ?? byProvider.error} fields={["password"]} />
          <PasswordInput
            label={words.layout.yourPassword}
            autoComplete="current-password"
            data-autofocus
            visibilityToggleButtonProps={{ "aria-label": words.layout.showThePassword, tabIndex: 0 }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={faultIn(confirm.error, "password")}
          />
          <Group justify="flex-end">
            {data?.takesPasskeys && (
              <Button variant="subtle" mr="auto" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
                {words.layout.useAPasskey}
              </Button>
            )}
            <Button variant="default" onClick={cancel}>
              {words.layout.cancel}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {words.layout.goOn}
            </Button>
          </Group>
          {data?.provider && (
            <Button variant="subtle" loading={byProvider.isPending} onClick={() => byProvider.mutate()}>
              {words.layout.proveBy({ provider: data.provider })}
            </Button>
          )}
        </Stack>
      </form>
    </Modal>
  );
}
