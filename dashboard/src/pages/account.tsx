import { Stack } from "@mantine/core";
import { DeleteAccount } from "../account/delete-account.tsx";
import { NameForm } from "../account/name-form.tsx";
import { Passkeys } from "../account/passkeys.tsx";
import { PasswordForm } from "../account/password-form.tsx";
import { SecondFactor } from "../account/second-factor.tsx";
import { Sessions } from "../account/sessions.tsx";
import { Page } from "../components/page.tsx";
import { useStart } from "../layout/session.tsx";
import { words } from "../words/words.ts";

export function AccountPage() {
  const { data } = useStart();
  return (
    <Page title={words.pages.yourAccount} lead={data?.user?.email}>
      <Stack gap="lg">
        {data?.user && <NameForm name={data.user.name} />}
        <PasswordForm />
        <SecondFactor />
        <Passkeys />
        <Sessions />
        <DeleteAccount />
      </Stack>
    </Page>
  );
}
