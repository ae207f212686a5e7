import "../mantine-styles.ts";
import { Button, Checkbox, Code, Fieldset, PasswordInput, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type SetUpInput, setUp } from "../api/calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { Agreement } from "../components/agreement.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { TimeZoneSelect } from "../components/time-zone-select.tsx";
import { Leave } from "../layout/leave.tsx";
import { useStart } from "../layout/session.tsx";
import { forgetSetUpToken, setUpToken } from "../layout/set-up-token.ts";
import { words } from "../words/words.ts";
import { SetUpDone } from "./set-up-done.tsx";

const fields = ["email", "password", "tenantName", "siteName", "siteUrl", "timeZone", "dpaAccepted"];

const empty: Omit<SetUpInput, "token"> = {
  email: "",
  password: "",
  tenantName: "",
  siteName: "",
  siteUrl: "",
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  dpaAccepted: false,
};

/** The page for the first visit of an installation. One form creates the owner, tenant, site and API key. */
export function SetUpPage() {
  const { data } = useStart();
  const [input, setInput] = useState<SetUpInput>(() => ({ ...empty, token: setUpToken() }));
  const create = useMutation({ mutationFn: setUp, onSuccess: forgetSetUpToken });
  if (create.data !== undefined) return <SetUpDone created={create.data} publicUrl={data?.publicUrl ?? null} />;
  if (data !== undefined && !data.needsSetUp) return <Leave to="/" />;
  if (input.token === "") return <LinkNeeded />;
  const set = (change: Partial<SetUpInput>) => setInput({ ...input, ...change });
  return (
    <SignedOutPage title={words.signedOut.setUpTitle} lead={words.signedOut.setUpLead} width={620}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(input);
        }}
      >
        <Stack gap="xl">
          <FormError error={create.error} fields={fields} />
          <You input={input} set={set} error={create.error} />
          <Publication input={input} set={set} error={create.error} />
          <Fieldset variant="unstyled" legend={words.signedOut.agreementOnReadersData}>
            <Agreement />
            <Checkbox
              mt="sm"
              label={words.signedOut.acceptAgreementLabel}
              checked={input.dpaAccepted}
              onChange={(event) => set({ dpaAccepted: event.currentTarget.checked })}
              error={faultIn(create.error, "dpaAccepted")}
            />
          </Fieldset>
          <Button type="submit" size="md" loading={create.isPending}>
            {words.signedOut.setUpPressbell}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}

/** The page for a visitor without the set-up link, which only the person who started the service has. */
function LinkNeeded() {
  return (
    <SignedOutPage title={words.signedOut.notSetUpTitle} lead={words.signedOut.notSetUpLead}>
      <Text size="sm">{words.signedOut.notSetUpHint({ file: <Code>setup-link</Code> })}</Text>
    </SignedOutPage>
  );
}

type Part = { input: SetUpInput; set: (change: Partial<SetUpInput>) => void; error: unknown };

function You({ input, set, error }: Part) {
  return (
    <Fieldset variant="unstyled" legend={words.signedOut.youTheOwner}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={words.signedOut.eMailAddress}
          type="email"
          autoComplete="username"
          autoFocus
          value={input.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
          error={faultIn(error, "email")}
        />
        <PasswordInput
          label={words.signedOut.password}
          description={words.signedOut.passwordHint}
          inputWrapperOrder={["label", "input", "description", "error"]}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": words.signedOut.showThePassword, tabIndex: 0 }}
          value={input.password}
          onChange={(event) => set({ password: event.currentTarget.value })}
          error={faultIn(error, "password")}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

function Publication({ input, set, error }: Part) {
  return (
    <Fieldset variant="unstyled" legend={words.signedOut.yourPublication}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={words.signedOut.publisher}
          placeholder={words.signedOut.publisherExample}
          autoComplete="organization"
          value={input.tenantName}
          onChange={(event) => set({ tenantName: event.currentTarget.value })}
          error={faultIn(error, "tenantName")}
        />
        <TextInput
          label={words.signedOut.nameOfTheSite}
          placeholder={words.signedOut.siteNameExample}
          value={input.siteName}
          onChange={(event) => set({ siteName: event.currentTarget.value })}
          error={faultIn(error, "siteName")}
        />
        <AddressInput
          label={words.signedOut.addressOfTheSite}
          placeholder="https://news.example"
          value={input.siteUrl}
          write={(siteUrl) => set({ siteUrl })}
          error={faultIn(error, "siteUrl")}
        />
        <TimeZoneSelect
          label={words.signedOut.timeZoneOfTheSite}
          value={input.timeZone}
          onChange={(timeZone) => set({ timeZone })}
          error={faultIn(error, "timeZone")}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
