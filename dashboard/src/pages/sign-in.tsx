import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { SignInCode } from "../account/sign-in-code.tsx";
import { signIn } from "../api/calls.ts";
import { signInWithPasskey } from "../api/passkey-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { TextLink } from "../components/links.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { useStart } from "../layout/session.tsx";

export function SignInPage() {
  const { data } = useStart();
  const { next } = useSearch({ strict: false }) as { next?: string };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const enter = async () => {
    await queries.resetQueries();
    await navigate({ href: isOwnPage(next) ? next : "/" });
  };
  const submit = useMutation({
    mutationFn: signIn,
    onSuccess: ({ challenge }) => (challenge === undefined ? enter() : undefined),
  });
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter });
  if (data?.needsSetUp) return <Navigate to="/set-up" replace />;
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
          <FormError error={submit.error ?? byPasskey.error} fields={["email", "password"]} />
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
