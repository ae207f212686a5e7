import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Navigate, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { SignInCode } from "../account/sign-in-code.tsx";
import { signIn } from "../api/calls.ts";
import { signInWithPasskey } from "../api/passkey-calls.ts";
import { providerOutcome, signInByProvider } from "../api/provider-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { TextLink } from "../components/links.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { useStart } from "../layout/session.tsx";
import { words } from "../words/words.ts";

export function SignInPage() {
  const { data } = useStart();
  const { next } = useSearch({ strict: false }) as { next?: string };
  // The hash alone: with the whole location, each step of a redirect would render it, and so begin it, again.
  const hash = useLocation({ select: (location) => location.hash });
  const outcome = providerOutcome(hash, data?.provider ?? "");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const page = isOwnPage(next) ? next : "/";
  const enter = async () => {
    await queries.resetQueries();
    await navigate({ href: page });
  };
  const submit = useMutation({
    mutationFn: signIn,
    onSuccess: ({ challenge }) => (challenge === undefined ? enter() : undefined),
  });
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter });
  const byProvider = useMutation({ mutationFn: () => signInByProvider(page) });
  if (data?.needsSetUp) return <Navigate to="/set-up" replace />;
  if (outcome !== null && "confirmed" in outcome) {
    return <SignedOutPage title={words.signedOut.thankYou} lead={words.signedOut.closeThisTabWhatYou} />;
  }
  const refused = outcome?.refused ?? null;
  const challenge = submit.data?.challenge;
  if (challenge !== undefined) {
    return <SignInCode challenge={challenge} onSignedIn={enter} onBack={() => submit.reset()} />;
  }
  return (
    <SignedOutPage title={words.signedOut.signIn} lead={words.signedOut.withTheAddressAndPassword}>
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
          <TextLink to="/forgotten" size="sm" ta="center">
            {words.signedOut.forgotYourPassword}
          </TextLink>
        </Stack>
      </form>
    </SignedOutPage>
  );
}

/** Whether `next` is a page of the dashboard, and not a URL of another host. */
function isOwnPage(next: string | undefined): next is string {
  return next !== undefined && /^\/(?![/\\])/.test(next);
}
