import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addressOf } from "../api/address.ts";
import { fetchPasswordLink, mailPasswordLink, setNewPassword } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { IncompleteLink, useLinkToken } from "../components/link-token.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { Loaded } from "../components/states.tsx";
import { openPage } from "../layout/leave.tsx";
import { useStart } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The page for people who forgot their password. It sends a link by e-mail, or names who can give them one. */
export function ForgottenPage() {
  const start = useStart();
  return (
    <SignedOutPage title={words.signedOut.forgotYourPassword}>
      <Loaded of={start}>{({ sendsMail }) => (sendsMail ? <AskForLink /> : <AskSomebody />)}</Loaded>
      <Anchor href={addressOf("/sign-in")} size="sm">
        {words.signedOut.backToTheSignIn}
      </Anchor>
    </SignedOutPage>
  );
}

function AskSomebody() {
  return (
    <Text size="sm">
      {words.signedOut.forgottenPasswordHint({ command: <code>pressbell password link --email EMAIL</code> })}
    </Text>
  );
}

function AskForLink() {
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: mailPasswordLink });
  if (ask.isSuccess) {
    return (
      <Alert role="status" color="green" variant="light" icon={<Icon name="send" />}>
        {words.signedOut.passwordLinkMailed({ email })}
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
          label={words.signedOut.eMailAddress}
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faultIn(ask.error, "email")}
        />
        <Button type="submit" loading={ask.isPending}>
          {words.signedOut.sendMeALink}
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
    <SignedOutPage title={words.signedOut.chooseANewPassword}>
      <Loaded of={query}>{({ email }) => <Choose token={token} email={email} />}</Loaded>
    </SignedOutPage>
  );
}

function Choose({ token, email }: { token: string; email: string }) {
  const [password, setPassword] = useState("");
  const choose = useMutation({
    mutationFn: () => setNewPassword({ token, password }),
    onSuccess: () => openPage("/"),
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
        <TextInput label={words.signedOut.eMailAddress} type="email" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label={words.signedOut.newPassword}
          description={words.signedOut.newPasswordHint}
          autoComplete="new-password"
          autoFocus
          visibilityToggleButtonProps={{ "aria-label": words.signedOut.showThePassword, tabIndex: 0 }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faultIn(choose.error, "password")}
        />
        <Button type="submit" loading={choose.isPending}>
          {words.signedOut.setItAndSignIn}
        </Button>
      </Stack>
    </form>
  );
}
