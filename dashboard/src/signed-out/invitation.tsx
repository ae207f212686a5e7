import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { acceptInvitation, fetchInvitation, type Invitation } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { IncompleteLink, useLinkToken } from "../components/link-token.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { Loaded } from "../components/states.tsx";
import { openPage } from "../layout/leave.tsx";
import { words } from "../words/words.ts";

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
    <SignedOutPage
      title={
        query.data
          ? words.signedOut.joinPublisher({ tenantName: query.data.tenantName })
          : words.signedOut.yourInvitation
      }
    >
      <Loaded of={query}>{(invitation) => <Join token={token} invitation={invitation} />}</Loaded>
    </SignedOutPage>
  );
}

function Join({ token, invitation }: { token: string; invitation: Invitation }) {
  const { email, role, sites, hasAccount } = invitation;
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const join = useMutation({
    mutationFn: () => acceptInvitation({ token, password, ...(name.trim() && { name }) }),
    onSuccess: () => openPage("/"),
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
          {role !== null && <div>{words.signedOut.roles[role]}</div>}
          {sites.map((site) => (
            <div key={site.name}>{words.signedOut.rolesOnSites[site.role]({ name: site.name })}</div>
          ))}
        </Alert>
        <FormError error={join.error} fields={["password", "name"]} />
        <TextInput label={words.signedOut.eMailAddress} type="email" autoComplete="username" value={email} readOnly />
        {!hasAccount && (
          <TextInput
            label={words.signedOut.yourName}
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultIn(join.error, "name")}
          />
        )}
        <PasswordInput
          label={hasAccount ? words.signedOut.yourPassword : words.signedOut.chooseAPassword}
          {...(hasAccount ? {} : { description: words.signedOut.passwordHint })}
          autoComplete={hasAccount ? "current-password" : "new-password"}
          autoFocus
          visibilityToggleButtonProps={{ "aria-label": words.signedOut.showThePassword, tabIndex: 0 }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faultIn(join.error, "password")}
        />
        <Button type="submit" loading={join.isPending}>
          {words.signedOut.joinIt}
        </Button>
      </Stack>
    </form>
  );
}
