import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { SiteSettings } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";
import { faultIn } from "../parts/form-error.tsx";
import { SettingsForm, useSaveSite } from "./site-form.tsx";

/** What a site is called. Its address never changes: readers subscribe to it. */
export function SiteItself({ settings }: { settings: SiteSettings }) {
  const { canEdit } = usePlace();
  const save = useSaveSite();
  const [name, setName] = useState(settings.name);
  return (
    <SettingsForm title="The site itself" lead={settings.url} fields={["name"]} save={save} change={() => ({ name })}>
      <TextInput
        label="Name of the site"
        disabled={!canEdit}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={faultIn(save.error, "name")}
      />
    </SettingsForm>
  );
}
