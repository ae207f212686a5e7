import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { confirmSecondFactor } from "../api/calls.ts";
import { CodeInput } from "../components/code-input.tsx";
import { CopyBlock } from "../components/copy.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { words } from "../words/words.ts";

const QrCode = lazy(() => import("../subscribers/qr-code.tsx"));

/** The QR code and the key for an authenticator app, and the input for its first code. */
export function SetUpApp(props: {
  app: { key: string; uri: string };
  onConfirmed: (recoveryCodes: string[]) => Promise<void>;
  onCancel: () => void;
}) {
  const { app, onConfirmed, onCancel } = props;
  const [code, setCode] = useState("");
  const withRecentSignIn = useRecentSignIn();
  const confirm = useMutation({
    mutationFn: () => withRecentSignIn(() => confirmSecondFactor(code.trim())),
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
        <Text size="sm">{words.account.setUpAppLead}</Text>
        <Suspense>
          <QrCode text={app.uri} label={words.account.qrCodeAlt} />
        </Suspense>
        <CopyBlock text={app.key} label={words.account.keyForTheApp} />
        <FormError error={confirm.error} fields={["code"]} />
        <CodeInput
          label={words.account.codeOfTheApp}
          value={code}
          onChange={setCode}
          error={faultIn(confirm.error, "code")}
        />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            {words.account.switchItOn}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {words.account.notNow}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The recovery codes, which are shown only this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="key" />} title={words.account.recoveryCodesTitle}>
      <Text size="sm" mb="sm">
        {words.account.recoveryCodesLead}
      </Text>
      <CopyBlock text={codes.join("\n")} label={words.account.recoveryCodes} />
      <Button size="xs" variant="default" mt="sm" onClick={onDone}>
        {words.account.recoveryCodesKept}
      </Button>
    </Alert>
  );
}
