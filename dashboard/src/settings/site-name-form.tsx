import { TextInput } from "@mantine/core";
import type { SiteSettings } from "../api/calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

/** The name of a site. Its URL cannot be changed, because readers subscribe to it. */
export function SiteNameForm({ settings }: { settings: SiteSettings }) {
  const { canEdit } = useCurrentSite();
  const save = useSaveSite();
  const { input, write, snapshot } = useEdits({ name: settings.name });
  return (
    <SettingsForm
      title={words.settings.theSiteItself}
      lead={settings.url}
      fields={["name"]}
      save={save}
      snapshot={snapshot}
      change={() => input}
    >
      <TextInput
        label={words.settings.nameOfTheSite}
        disabled={!canEdit}
        value={input.name}
        onChange={(event) => write({ name: event.currentTarget.value })}
        error={faultIn(save.error, "name")}
      />
    </SettingsForm>
  );
}
