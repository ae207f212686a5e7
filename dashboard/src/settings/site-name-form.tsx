import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { SiteSettings } from "../api/calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { SettingsForm, useSaveSite } from "./site-form.tsx";

/** The name of a site. Its URL cannot be changed, because readers subscribe to it. */
export function SiteNameForm({ settings }: { settings: SiteSettings }) {
  const { canEdit } = useCurrentSite();
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
