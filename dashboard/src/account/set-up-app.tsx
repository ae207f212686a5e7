import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { confirmSecondFactor } from "../api/calls.ts";
import { CodeInput } from "../components/code-input.tsx";
import { CopyBlock } from "../components/copy.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";

const QrCode = lazy(() => import("../subscribers/qr-code.tsx"));

/** The QR code and key for an authenticator app, and the input of its first code. */
export function SetUpApp(props: {
  app: { key: string; uri: string };
  onConfirmed: (recoveryCodes: string[]) => Promise<void>;
  onCancel: () => void;
}) {
  const { app, onConfirmed, onCancel } = props;
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: () => confirmSecondFactor(code.trim()),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <Stack>
        <Text size="sm">
          Scan this with an authenticator app, or copy the key into it. Then type the six digits that it shows.
        </Text>
        <Suspense>
          <QrCode text={app.uri} label="QR code for an authenticator app" />
        </Suspense>
        <CopyBlock text={app.key} label="key for the app" />
        <FormError error={confirm.error} fields={["code"]} />
        <CodeInput label="Code of the app" value={code} onChange={setCode} error={faultIn(confirm.error, "code")} />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            Switch it on
          </Button>
          <Button variant="default" onClick={onCancel}>
            Not now
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="key" />} title="Keep these recovery codes">
      <Text size="sm" mb="sm">
        They are shown this once. Each signs you in once instead of a code, should you lose the app: print them, or keep
        them in a password manager.
      </Text>
      <CopyBlock text={codes.join("\n")} label="recovery codes" />
      <Button size="xs" variant="default" mt="sm" onClick={onDone}>
        I have kept them
      </Button>
    </Alert>
  );
}
