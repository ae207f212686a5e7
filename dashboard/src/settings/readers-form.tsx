import { Textarea, TextInput } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { toApiError } from "../api/client.ts";
import { faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

/**
 * The origins from which readers may subscribe, the page on which they choose, and how long data about them is kept.
 */
export function ReadersForm({ settings }: { settings: ReaderSettingsView }) {
  const { canEdit, site } = useCurrentSite();
  const save = useSaveSite();
  const { input, write, snapshot } = useEdits({
    origins: settings.origins.join("\n"),
    dormantMonths: settings.dormantMonths,
    returnDays: settings.returnDays,
    preferencesUrl: settings.preferencesUrl ?? "",
  });
  const { origins, preferencesUrl, ...kept } = input;
  const whole = (name: "dormantMonths" | "returnDays", label: string, description: string) => (
    <WholeNumber
      label={label}
      description={description}
      disabled={!canEdit}
      value={input[name]}
      write={(value) => write({ [name]: value })}
      error={faultIn(save.error, name)}
    />
  );
  // A fault has the path of one line (`/origins/0`), and its message quotes the line.
  const originFaults = save.error === null ? [] : toApiError(save.error).faults.filter(({ path }) => isOfOrigins(path));
  return (
    <SettingsForm
      title={words.settings.originsTitle}
      lead={words.settings.originsLead({ origin: new URL(site.url).origin })}
      fields={["dormantMonths", "returnDays", "preferencesUrl", ...originFaults.map(({ path }) => path.slice(1))]}
      save={save}
      snapshot={snapshot}
      change={() => ({
        ...originsChange(origins, settings.origins),
        preferencesUrl: preferencesUrl.trim() || null,
        ...kept,
      })}
    >
      <Textarea
        label={words.settings.furtherAddresses}
        description={words.settings.furtherAddressesHint}
        placeholder="https://m.news.example"
        autosize
        minRows={2}
        disabled={!canEdit}
        value={origins}
        onChange={(event) => write({ origins: event.currentTarget.value })}
        error={originFaults[0]?.message}
      />
      <TextInput
        label={words.settings.preferencesPage}
        description={words.settings.preferencesPageHint}
        placeholder={site.url}
        disabled={!canEdit}
        value={preferencesUrl}
        onChange={(event) => write({ preferencesUrl: event.currentTarget.value })}
        error={faultIn(save.error, "preferencesUrl")}
      />
      {whole("dormantMonths", words.settings.silentMonths, words.settings.silentMonthsHint)}
      {whole("returnDays", words.settings.daysChoiceKept, words.settings.daysChoiceKeptHint)}
    </SettingsForm>
  );
}

const isOfOrigins = (path: string) => /^\/origins(\/|$)/.test(path);

/** Returns the origins only if they changed, because new addresses require a recent sign-in. */
function originsChange(text: string, saved: string[]): { origins?: string[] } {
  const origins = linesOf(text);
  return origins.join() === saved.join() ? {} : { origins };
}

const linesOf = (text: string) =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
