import { Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { ownPage } from "../../../src/own-page.ts";
import { addressOf } from "../api/address.ts";
import { signIn } from "../api/calls.ts";
import { signInWithPasskey } from "../api/passkey-calls.ts";
import { providerOutcome, signInByProvider } from "../api/provider-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { Leave, openPage } from "../layout/leave.tsx";
import { useStart } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** This is loaded only for people who have a second factor. */
const SignInCode = lazy(async () => ({ default: (await import("../account/sign-in-code.tsx")).SignInCode }));

export function SignInPage() {
  const { data } = useStart();
  const next = new URLSearchParams(location.search).get("next");
  const outcome = providerOutcome(location.hash, data?.provider ?? "");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const page = next !== null && ownPage(next, document.baseURI) !== null ? next : "/";
  const enter = () => openPage(page);
  const submit = useMutation({
    mutationFn: signIn,
    onSuccess: ({ challenge }) => (challenge === undefined ? enter() : undefined),
  });
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter });
  const byProvider = useMutation({ mutationFn: () => signInByProvider(page) });
  if (data?.needsSetUp) return <Leave to="/set-up" />;
  if (outcome !== null && "confirmed" in outcome) {
    return <SignedOutPage title={words.signedOut.thankYou} lead={words.signedOut.signInPassedLead} />;
  }
  const refused = outcome?.refused ?? null;
  const challenge = submit.data?.challenge;
  if (challenge !== undefined) {
    return (
      <Suspense>
        <SignInCode challenge={challenge} onSignedIn={enter} onBack={() => submit.reset()} />
      </Suspense>
    );
  }
  return (
    <SignedOutPage title={words.signedOut.signIn} lead={words.signedOut.signInLead}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate({ email, password });
        }}
      >
        <Stack>
          <FormError
            error={submit.error ?? byPasskey.error ?? byProvider.error ?? refused}
            fields={["email", "password"]}
          />
          <TextInput
            label={words.signedOut.eMailAddress}
            type="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={faultIn(submit.error, "email")}
          />
          <PasswordInput
            label={words.signedOut.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ "aria-label": words.signedOut.showThePassword, tabIndex: 0 }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={faultIn(submit.error, "password")}
          />
          <Button type="submit" loading={submit.isPending} mt="xs">
            {words.signedOut.signIn}
          </Button>
          {data?.takesPasskeys && (
            <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
              {words.signedOut.signInWithAPasskey}
            </Button>
          )}
          {data?.provider && (
            <Button variant="default" loading={byProvider.isPending} onClick={() => byProvider.mutate()}>
              {words.signedOut.signInWith({ provider: data.provider })}
            </Button>
          )}
          <Anchor href={addressOf("/forgotten")} size="sm" ta="center">
            {words.signedOut.forgotYourPassword}
          </Anchor>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
