import { Button, FileButton, Group, Switch, Textarea } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { toApiError } from "../api/client.ts";
import { WholeNumber } from "../components/whole-number.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { countRows } from "./count-rows.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

/**
 * The switch that makes readers of another push service subscribers at their next visit, and the number of readers
 * that it had.
 */
export function MigrationForm({ settings: { migrateSubscriptions } }: { settings: ReaderSettingsView }) {
  const { canEdit } = useCurrentSite();
  const save = useSaveSite();
  const { input, write, snapshot } = useEdits({
    isOn: migrateSubscriptions !== null,
    workers: (migrateSubscriptions?.workers ?? []).join("\n"),
    formerReaders: migrateSubscriptions?.formerReaders ?? null,
  });
  const { isOn, workers, formerReaders } = input;
  const faults = save.error === null ? [] : toApiError(save.error).faults;
  const faultOf = (name: string) =>
    faults.find(({ path }) => path.startsWith(`/migrateSubscriptions/${name}`))?.message;
  return (
    <SettingsForm
      title={words.settings.migrationTitle}
      lead={words.settings.migrationLead}
      fields={faults.map(({ path }) => path.slice(1))}
      save={save}
      snapshot={snapshot}
      change={() => ({
        migrateSubscriptions: isOn ? { workers: workers.split(/\s+/).filter(Boolean), formerReaders } : null,
      })}
    >
      <Switch
        label={words.settings.migrateThem}
        disabled={!canEdit}
        checked={isOn}
        onChange={(event) => write({ isOn: event.currentTarget.checked })}
      />
      {isOn && (
        <>
          <Textarea
            label={words.settings.oldScripts}
            description={words.settings.oldScriptsHint}
            autosize
            disabled={!canEdit}
            value={workers}
            onChange={(event) => write({ workers: event.currentTarget.value })}
            error={faultOf("workers")}
          />
          <Group align="flex-end">
            <WholeNumber
              label={words.settings.formerReaderCount}
              disabled={!canEdit}
              value={formerReaders}
              write={(value) => write({ formerReaders: value })}
              error={faultOf("formerReaders")}
            />
            <FileButton
              accept=".csv,text/csv"
              disabled={!canEdit}
              onChange={async (file) => file && write({ formerReaders: countRows(await file.text()) })}
            >
              {(props) => (
                <Button variant="default" {...props}>
                  {words.settings.countItsExport}
                </Button>
              )}
            </FileButton>
          </Group>
        </>
      )}
    </SettingsForm>
  );
}
