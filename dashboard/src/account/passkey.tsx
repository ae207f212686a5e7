import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type PasskeyView, removePasskey, renamePasskey } from "../api/passkey-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { fromNow } from "../components/times.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";

/** One passkey, to rename or to remove. */
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
            <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              Added {fromNow(createdAt)}, {usedAt === null ? "not used yet" : `last used ${fromNow(usedAt)}`}
            </Text>
          </div>
        ) : (
          <TextInput
            label={`New name of ${name}`}
            flex={1}
            value={newName}
            onChange={(event) => setNewName(event.currentTarget.value)}
            error={faultIn(rename.error, "name")}
          />
        )}
        <Group gap={4} wrap="nowrap">
          <Button
            {...button}
            aria-label={`${newName === null ? "Rename" : "Save the name of"} ${name}`}
            loading={rename.isPending}
            onClick={() => (newName === null ? setNewName(name) : rename.mutate(newName))}
          >
            {newName === null ? "Rename" : "Save"}
          </Button>
          <Button {...button} color="red" aria-label={`Remove ${name}`} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </Group>
      </Group>
      <Confirm
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove this passkey?"
        action="Remove"
        act={async () => {
          await withRecentSignIn(() => removePasskey(passkeyId));
          await reload();
        }}
      >
        “{name}” signs you in no more. Delete it on the device, too.
      </Confirm>
    </div>
  );
}
