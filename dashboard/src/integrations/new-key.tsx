import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addApiKeyNow, type NewApiKey, type Scope } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";

/** What a key may do, as its owner reads it. */
export const scopeLabels: Record<Scope, string> = {
  preview: "judge stories",
  draft: "write drafts",
  send: "test, schedule, send and stop",
  read: "read campaigns and results",
};

const allScopes = Object.keys(scopeLabels) as Scope[];

/** How long a new key works, in days; "" is without an end. */
const lifetimes = [
  { value: "", label: "Never ends" },
  { value: "30", label: "Ends in 30 days" },
  { value: "90", label: "Ends in 90 days" },
  { value: "365", label: "Ends in a year" },
];

const dayMs = 24 * 60 * 60 * 1_000;

const empty = { name: "", chosen: allScopes, days: "" };

/** The request for a key. With every box ticked it may do everything, also what a later version adds. */
function requestOf({ name, chosen, days }: typeof empty) {
  const isLimited = chosen.length < allScopes.length;
  const expiresAt = days === "" ? undefined : new Date(Date.now() + Number(days) * dayMs).toISOString();
  return { name, ...(isLimited ? { scopes: chosen } : {}), ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** The form for a new API key: its name, what it may do, and when it ends. */
export function NewKey({ onCreated }: { onCreated: (key: NewApiKey) => void }) {
  const { tenantId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const [input, setInput] = useState(empty);
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => withRecentSignIn(() => addApiKeyNow(tenantId, requestOf(input))),
    async onSuccess(key) {
      onCreated(key);
      setInput(empty);
      await queries.invalidateQueries({ queryKey: ["api-keys", tenantId] });
    },
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
        <FormError error={add.error} fields={["name", "scopes"]} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Name of a new key"
            placeholder="Our CMS"
            flex={1}
            value={input.name}
            onChange={(event) => setInput({ ...input, name: event.currentTarget.value })}
            error={faultIn(add.error, "name")}
          />
          <NativeSelect
            label="Its end"
            data={lifetimes}
            value={input.days}
            onChange={(event) => setInput({ ...input, days: event.currentTarget.value })}
          />
          <Button type="submit" variant="default" loading={add.isPending}>
            Make a key
          </Button>
        </Group>
        <Checkbox.Group
          label="What it may do"
          value={input.chosen}
          onChange={(chosen) => setInput({ ...input, chosen: chosen as Scope[] })}
          error={faultIn(add.error, "scopes")}
        >
          <Group gap="md" mt={4}>
            {allScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scopeLabels[scope]} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    </form>
  );
}
