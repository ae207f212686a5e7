import { useQuery } from "@tanstack/react-query";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { at } from "../api/calls.ts";
import { call } from "../api/client.ts";
import { usePlace } from "../frame/session.tsx";
import { Loaded } from "../parts/states.tsx";
import { NudgeForm } from "./nudge-form.tsx";
import { PromptForm } from "./prompt-form.tsx";
import { ReadersForm } from "./readers-form.tsx";

const readSettings = (tenantId: string, siteId: string) =>
  call<ReaderSettingsView>("GET", `${at(tenantId)}/sites/${siteId}/readers`);

/** What readers see and are asked, in three forms that are saved apart: what is written in one outlives the save of another. */
export function ReaderSettings() {
  const { tenantId, siteId } = usePlace();
  const query = useQuery({ queryKey: ["reader-settings", siteId], queryFn: () => readSettings(tenantId, siteId) });
  return (
    <Loaded of={query}>
      {(settings) => {
        const { prompt, iconUrl, utm, linkMode, onUncertain, origins, dormantMonths } = settings;
        return (
          <>
            <PromptForm key={`prompt ${JSON.stringify(prompt)}`} settings={settings} />
            <NudgeForm key={`nudge ${JSON.stringify([iconUrl, utm, linkMode, onUncertain])}`} settings={settings} />
            <ReadersForm key={`readers ${JSON.stringify([origins, dormantMonths])}`} settings={settings} />
          </>
        );
      }}
    </Loaded>
  );
}
