import { Button, Checkbox, Code, Fieldset, PasswordInput, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { useState } from "react";
import { type SetUpInput, setUp } from "../api/calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { Agreement } from "../components/agreement.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { SignedOutPage } from "../components/signed-out-page.tsx";
import { TimeZoneSelect } from "../components/time-zone-select.tsx";
import { useStart } from "../layout/session.tsx";
import { forgetSetUpToken, setUpToken } from "../layout/set-up-token.ts";
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

/** The first visit of an installation: creates owner, tenant, site and API key in one form. */
export function SetUpPage() {
  const { data } = useStart();
  const [input, setInput] = useState<SetUpInput>(() => ({ ...empty, token: setUpToken() }));
  const create = useMutation({ mutationFn: setUp, onSuccess: forgetSetUpToken });
  if (create.data !== undefined) return <SetUpDone created={create.data} publicUrl={data?.publicUrl ?? null} />;
  if (data !== undefined && !data.needsSetUp) return <Navigate to="/" replace />;
  if (input.token === "") return <LinkNeeded />;
  const set = (change: Partial<SetUpInput>) => setInput({ ...input, ...change });
  return (
    <SignedOutPage
      title="Welcome. Let’s set up your publication"
      lead="A minute, and you can send your first nudge."
      width={620}
    >
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
          <Fieldset variant="unstyled" legend="Agreement on readers’ data">
            <Agreement />
            <Checkbox
              mt="sm"
              label="I accept the data processing agreement for this publication"
              checked={input.dpaAccepted}
              onChange={(event) => set({ dpaAccepted: event.currentTarget.checked })}
              error={faultIn(create.error, "dpaAccepted")}
            />
          </Fieldset>
          <Button type="submit" size="md" loading={create.isPending}>
            Set up Pressbell
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}

/** Shown to a visitor who came without the set-up link: only the person who started the service has it. */
function LinkNeeded() {
  return (
    <SignedOutPage title="Pressbell is not set up yet" lead="It opens with a link that works once.">
      <Text size="sm">
        The person who started Pressbell has that link: it was shown at the start, and is also in the file{" "}
        <Code>setup-link</Code> in the data folder. Ask them for it, and open it in this browser.
      </Text>
    </SignedOutPage>
  );
}

type Part = { input: SetUpInput; set: (change: Partial<SetUpInput>) => void; error: unknown };

function You({ input, set, error }: Part) {
  return (
    <Fieldset variant="unstyled" legend="You, the owner">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          value={input.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
          error={faultIn(error, "email")}
        />
        <PasswordInput
          label="Password"
          description="At least 8 characters"
          inputWrapperOrder={["label", "input", "description", "error"]}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }}
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
    <Fieldset variant="unstyled" legend="Your publication">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Publisher"
          placeholder="Example News Ltd"
          autoComplete="organization"
          value={input.tenantName}
          onChange={(event) => set({ tenantName: event.currentTarget.value })}
          error={faultIn(error, "tenantName")}
        />
        <TextInput
          label="Name of the site"
          placeholder="The Example"
          value={input.siteName}
          onChange={(event) => set({ siteName: event.currentTarget.value })}
          error={faultIn(error, "siteName")}
        />
        <AddressInput
          label="Address of the site"
          placeholder="https://news.example"
          value={input.siteUrl}
          write={(siteUrl) => set({ siteUrl })}
          error={faultIn(error, "siteUrl")}
        />
        <TimeZoneSelect
          label="Time zone of the site"
          value={input.timeZone}
          onChange={(timeZone) => set({ timeZone })}
          error={faultIn(error, "timeZone")}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
