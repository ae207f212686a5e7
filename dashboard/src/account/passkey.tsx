import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type PasskeyView, removePasskey, renamePasskey } from "../api/passkey-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { fromNow } from "../components/times.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { words } from "../words/words.ts";

/** One passkey, with buttons to rename and remove it. */
export function Passkey({ passkey: { passkeyId, name, createdAt, usedAt } }: { passkey: PasskeyView }) {
  const [newName, setNewName] = useState<string | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ["passkeys"] });
  const rename = useMutation({
    mutationFn: (wanted: string) => renamePasskey({ passkeyId, name: wanted }),
    async onSuccess() {
      setNewName(null);
      await reload();
    },
  });
  const button = { size: "compact-sm", variant: "subtle" } as const;
  return (
    <div>
      <FormError error={rename.error} fields={["name"]} />
      <Group justify="space-between" wrap="nowrap">
        {newName === null ? (
          <div>
            <Text size="sm" fw={500} dir="auto" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {words.account.addedAndUsed({
                when: fromNow(createdAt),
                use: usedAt === null ? words.account.notUsedYet : words.account.lastUsed({ when: fromNow(usedAt) }),
              })}
            </Text>
          </div>
        ) : (
          <TextInput
            label={words.account.newNameOf({ name })}
            flex={1}
            value={newName}
            onChange={(event) => setNewName(event.currentTarget.value)}
            error={faultIn(rename.error, "name")}
          />
        )}
        <Group gap={4} wrap="nowrap">
          <Button
            {...button}
            aria-label={newName === null ? words.account.renameName({ name }) : words.account.saveNameOf({ name })}
            loading={rename.isPending}
            onClick={() => (newName === null ? setNewName(name) : rename.mutate(newName))}
          >
            {newName === null ? words.account.rename : words.account.save}
          </Button>
          <Button
            {...button}
            color="red"
            aria-label={words.account.removeName({ name })}
            onClick={() => setRemoving(true)}
          >
            {words.account.remove}
          </Button>
        </Group>
      </Group>
      <Confirm
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title={words.account.removeThisPasskey}
        action={words.account.remove}
        act={async () => {
          await withRecentSignIn(() => removePasskey(passkeyId));
          await reload();
        }}
      >
        {words.account.removePasskeyWarning({ name })}
      </Confirm>
    </div>
  );
}
