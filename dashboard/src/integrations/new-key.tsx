import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addApiKeyNow, type NewApiKey, type Scope } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The labels of what a key may do. */
export const scopeLabels: Record<Scope, string> = {
  get preview() {
    return words.integrations.checkStories;
  },
  get draft() {
    return words.integrations.writeDrafts;
  },
  get send() {
    return words.integrations.testScheduleSendAndStop;
  },
  get read() {
    return words.integrations.readCampaignsAndResults;
  },
  get report() {
    return words.integrations.readFigures;
  },
};

const allScopes = Object.keys(scopeLabels) as Scope[];

/** How long a new key works, in days. "": it has no end. */
const lifetimes = [
  {
    value: "",
    get label() {
      return words.integrations.neverEnds;
    },
  },
  {
    value: "30",
    get label() {
      return words.integrations.endsIn30Days;
    },
  },
  {
    value: "90",
    get label() {
      return words.integrations.endsIn90Days;
    },
  },
  {
    value: "365",
    get label() {
      return words.integrations.endsInAYear;
    },
  },
];

const dayMs = 24 * 60 * 60 * 1_000;

const empty = { name: "", chosen: allScopes, days: "" };

/**
 * Returns the request for a key. If every box is ticked, the key may do everything, including what a later version
 * adds.
 */
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
            label={words.integrations.nameOfANewKey}
            placeholder={words.integrations.newKeyNameExample}
            flex={1}
            value={input.name}
            onChange={(event) => setInput({ ...input, name: event.currentTarget.value })}
            error={faultIn(add.error, "name")}
          />
          <NativeSelect
            label={words.integrations.endOfKey}
            data={lifetimes}
            value={input.days}
            onChange={(event) => setInput({ ...input, days: event.currentTarget.value })}
          />
          <Button type="submit" variant="default" loading={add.isPending}>
            {words.integrations.makeAKey}
          </Button>
        </Group>
        <Checkbox.Group
          label={words.integrations.whatItMayDo}
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
