import { useQuery } from "@tanstack/react-query";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { tenantPath } from "../api/calls.ts";
import { call } from "../api/client.ts";
import { Loaded } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { MigrationForm } from "./migration-form.tsx";
import { NudgeForm } from "./nudge-form.tsx";
import { PromptForm } from "./prompt-form.tsx";
import { ReadersForm } from "./readers-form.tsx";

const readSettings = (tenantId: string, siteId: string) =>
  call<ReaderSettingsView>("GET", `${tenantPath(tenantId)}/sites/${siteId}/readers`);

/** The settings for readers, in four forms that are saved separately: saving one keeps unsaved input in the others. */
export function ReaderSettings() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["reader-settings", siteId], queryFn: () => readSettings(tenantId, siteId) });
  return (
    <Loaded of={query}>
      {(settings) => (
        <>
          <PromptForm settings={settings} />
          <NudgeForm settings={settings} />
          <ReadersForm settings={settings} />
          <MigrationForm settings={settings} />
        </>
      )}
    </Loaded>
  );
}
