import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addPasskey, beginPasskey, createPasskey, passkeys } from "../api/passkey-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Loaded } from "../components/states.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { words } from "../words/words.ts";
import { deviceOf } from "./device.ts";
import { Passkey } from "./passkey.tsx";

const key = ["passkeys"];

/** The passkeys of the person, and the form to add one. */
export function Passkeys() {
  const query = useQuery({ queryKey: key, queryFn: passkeys });
  return (
    <Paper component="section" aria-label={words.account.passkeys} maw={640}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {words.account.passkeys}
          </Title>
          <Text size="sm" c="dimmed">
            {words.account.passkeysLead}
          </Text>
        </div>
        <Loaded of={query}>
          {({ available, data }) => (
            <>
              {data.map((passkey) => (
                <Passkey key={passkey.passkeyId} passkey={passkey} />
              ))}
              {available ? <NewPasskey /> : <Text size="sm">{words.account.passkeysUnavailable}</Text>}
            </>
          )}
        </Loaded>
      </Stack>
    </Paper>
  );
}

function NewPasskey() {
  const [name, setName] = useState(() => deviceOf(navigator.userAgent));
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: async () => {
      const options = await withRecentSignIn(beginPasskey);
      const passkey = await createPasskey(options);
      await withRecentSignIn(() => addPasskey(name, passkey));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Stack gap="xs">
        <FormError error={add.error} fields={["name"]} />
        <Group align="flex-start" gap="xs">
          <TextInput
            label={words.account.nameOfANewPasskey}
            flex={1}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultIn(add.error, "name")}
          />
          <Button type="submit" variant="default" mt={25} loading={add.isPending}>
            {words.account.addAPasskey}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
