import { Button, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signInWithCode } from "../api/calls.ts";
import { CodeInput } from "../components/code-input.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { words } from "../words/words.ts";

/** The second step of the sign-in, after the password: the code of the app or a recovery code. */
export function SignInCode(props: { challenge: string; onSignedIn: () => void; onBack: () => void }) {
  const { challenge, onSignedIn, onBack } = props;
  const [code, setCode] = useState("");
  const submit = useMutation({
    mutationFn: () => signInWithCode({ challenge, code: code.trim() }),
    onSuccess: onSignedIn,
  });
  return (
    <SignedOutPage title={words.signedOut.yourCode} lead={words.signedOut.signInCodeLead}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate();
        }}
      >
        <Stack>
          <FormError error={submit.error} fields={["code"]} />
          <CodeInput
            label={words.signedOut.code}
            description={words.signedOut.recoveryCodeHint}
            value={code}
            onChange={setCode}
            error={faultIn(submit.error, "code")}
          />
          <Button type="submit" loading={submit.isPending}>
            {words.signedOut.signIn}
          </Button>
          <Button variant="subtle" onClick={onBack}>
            {words.signedOut.back}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
