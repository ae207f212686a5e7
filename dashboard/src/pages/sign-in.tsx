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
    return <SignedOutPage title="Thank you" lead="Close this tab. What you asked for goes on in the other one." />;
  }
  const refused = outcome?.refused ?? null;
  const challenge = submit.data?.challenge;
  if (challenge !== undefined) {
    return <SignInCode challenge={challenge} onSignedIn={enter} onBack={() => submit.reset()} />;
  }
  return (
    <SignedOutPage title="Sign in" lead="With the address and password of your account here.">
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
            label="E-mail address"
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
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={faultIn(submit.error, "password")}
          />
          <Button type="submit" loading={submit.isPending} mt="xs">
            Sign in
          </Button>
          {data?.takesPasskeys && (
            <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
              Sign in with a passkey
            </Button>
          )}
          {data?.provider && (
            <Button variant="default" loading={byProvider.isPending} onClick={() => byProvider.mutate()}>
              Sign in with {data.provider}
            </Button>
          )}
          <TextLink to="/forgotten" size="sm" ta="center">
            Forgot your password?
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
