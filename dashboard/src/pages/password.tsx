import { Alert, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { fetchPasswordLink, mailPasswordLink, setNewPassword } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { IncompleteLink, useLinkToken } from "../components/link-token.tsx";
import { TextLink } from "../components/links.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { Loaded } from "../components/states.tsx";
import { useStart } from "../layout/session.tsx";

/** For people who forgot their password: sends a link by e-mail, or says who can give them one. */
export function ForgottenPage() {
  const start = useStart();
  return (
    <SignedOutPage title="Forgot your password?">
      <Loaded of={start}>{({ sendsMail }) => (sendsMail ? <AskForLink /> : <AskSomebody />)}</Loaded>
      <TextLink to="/sign-in" size="sm">
        Back to the sign-in
      </TextLink>
    </SignedOutPage>
  );
}

function AskSomebody() {
  return (
    <Text size="sm">
      Ask an owner of your publication, who finds “Password” beside your name under Members, or the person who runs this
      service: on its command line <code>pressbell password link --email EMAIL</code> prints a link for you.
    </Text>
  );
}

function AskForLink() {
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: mailPasswordLink });
  if (ask.isSuccess) {
    return (
      <Alert role="status" color="green" variant="light" icon={<Icon name="send" />}>
        If {email} has an account here, a link is on its way to it. It works once, and for 24 hours.
      </Alert>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate(email);
      }}
    >
      <Stack>
        <FormError error={ask.error} fields={["email"]} />
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faultIn(ask.error, "email")}
        />
        <Button type="submit" loading={ask.isPending}>
          Send me a link
        </Button>
      </Stack>
    </form>
  );
}

/** The page that a password link opens. */
export function NewPasswordPage() {
  const token = useLinkToken();
  const query = useQuery({
    queryKey: ["password-link", token],
    queryFn: () => fetchPasswordLink(token),
    enabled: token !== "",
  });
  if (token === "") return <IncompleteLink />;
  return (
    <SignedOutPage title="Choose a new password">
      <Loaded of={query}>{({ email }) => <Choose token={token} email={email} />}</Loaded>
    </SignedOutPage>
  );
}

function Choose({ token, email }: { token: string; email: string }) {
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const choose = useMutation({
    mutationFn: () => setNewPassword({ token, password }),
    async onSuccess() {
      await queries.resetQueries({ queryKey: ["start"] });
      await navigate({ to: "/" });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        choose.mutate();
      }}
    >
      <Stack>
        <FormError error={choose.error} fields={["password"]} />
        <TextInput label="E-mail address" type="email" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="New password"
          description="At least 8 characters. You are signed out everywhere else."
          autoComplete="new-password"
          autoFocus
          visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faultIn(choose.error, "password")}
        />
        <Button type="submit" loading={choose.isPending}>
          Set it and sign in
        </Button>
      </Stack>
    </form>
  );
}
