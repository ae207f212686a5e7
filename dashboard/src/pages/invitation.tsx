import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { acceptInvitation, fetchInvitation, type Invitation } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { IncompleteLink, useLinkToken } from "../components/link-token.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { Loaded } from "../components/states.tsx";

/** The page that an invitation links to. */
export function InvitationPage() {
  const token = useLinkToken();
  const query = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => fetchInvitation(token),
    enabled: token !== "",
  });
  if (token === "") return <IncompleteLink />;
  return (
    <SignedOutPage title={query.data ? `Join ${query.data.tenantName}` : "Your invitation"}>
      <Loaded of={query}>{(invitation) => <Join token={token} invitation={invitation} />}</Loaded>
    </SignedOutPage>
  );
}

const roleTexts = {
  owner: "You will be an owner: you can do everything, and manage keys, members and settings.",
  editor: "You will be an editor: you can write, schedule, send and stop.",
  viewer: "You will be a viewer: you can look at everything and change nothing.",
};

function Join({ token, invitation }: { token: string; invitation: Invitation }) {
  const { email, role, hasAccount } = invitation;
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const join = useMutation({
    mutationFn: () => acceptInvitation({ token, password }),
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
        join.mutate();
      }}
    >
      <Stack>
        <Alert variant="light" color="gray" icon={<Icon name="info" />}>
          {roleTexts[role]}
        </Alert>
        <FormError error={join.error} fields={["password"]} />
        <TextInput label="E-mail address" type="email" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label={hasAccount ? "Your password" : "Choose a password"}
          {...(hasAccount ? {} : { description: "At least 8 characters" })}
          autoComplete={hasAccount ? "current-password" : "new-password"}
          autoFocus
          visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faultIn(join.error, "password")}
        />
        <Button type="submit" loading={join.isPending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}
