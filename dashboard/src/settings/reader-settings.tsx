import { useQuery } from "@tanstack/react-query";
import { readerSettings } from "../api/calls.ts";
import { Loaded } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { MigrationForm } from "./migration-form.tsx";
import { NudgeForm } from "./nudge-form.tsx";
import { PromptForm } from "./prompt-form.tsx";
import { ReadersForm } from "./readers-form.tsx";

/** The settings for readers, in four forms that are saved separately: saving one keeps unsaved input in the others. */
export function ReaderSettings() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["reader-settings", siteId], queryFn: () => readerSettings(tenantId, siteId) });
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
