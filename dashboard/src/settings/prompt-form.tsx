import { MultiSelect, NativeSelect, SimpleGrid, Switch } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { toApiError } from "../api/client.ts";
import { faultIn } from "../components/form-error.tsx";
import { shownTopics } from "../compose/shown-topics.ts";
import { useSubscribers } from "../compose/use-subscribers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { languagesChangeOf, PromptLanguages } from "./prompt-languages.tsx";
import { PromptPreview } from "./prompt-preview.tsx";
import { PromptText, PromptTexts, texts, textsChangeOf } from "./prompt-texts.tsx";
import { PromptWhen, whenChangeOf, whenFields } from "./prompt-when.tsx";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

type Prompt = ReaderSettingsView["usualPrompt"];

const names = ["mode", "consent", "topicIds", "languages", ...whenFields, ...texts];
const mostTopics = 8;

/** The texts and timing of the soft prompt. An empty field means the default. */
export function PromptForm({
  settings: { prompt: set, usualPrompt, preferencesUrl },
}: {
  settings: ReaderSettingsView;
}) {
  const { canEdit } = useCurrentSite();
  const save = useSaveSite();
  const { input: prompt, write: writeSome, snapshot } = useEdits<Partial<Prompt>>(set);
  const write = (change: { [Name in keyof Prompt]?: Prompt[Name] | undefined }) => writeSome(change as Partial<Prompt>);
  const shown = shownOf(prompt, usualPrompt);
  const offered = useTopics(shown.topicIds);
  const ofTexts = { at: "prompt", input: prompt, usual: usualPrompt, write, error: save.error };
  return (
    <SettingsForm
      title={words.settings.promptTitle}
      lead={words.settings.promptLead}
      fields={fieldsOf(save.error)}
      save={save}
      snapshot={snapshot}
      change={() => ({
        prompt: { ...changeOf(prompt), languages: languagesChangeOf(set.languages, prompt.languages) },
      })}
    >
      <Switch
        label={words.settings.promptSwitch}
        description={words.settings.promptSwitchHint}
        disabled={!canEdit}
        checked={shown.mode === "soft"}
        onChange={(event) => write({ mode: event.currentTarget.checked ? "soft" : "off" })}
      />
      <NativeSelect
        label={words.settings.consentSource}
        description={words.settings.consentSourceHint}
        disabled={!canEdit}
        data={Object.entries(words.settings.consentSources).map(([value, label]) => ({ value, label }))}
        value={shown.consent}
        onChange={(event) => write({ consent: event.currentTarget.value as Prompt["consent"] })}
        error={faultIn(save.error, "prompt/consent")}
      />
      <PromptWhen prompt={prompt} usual={usualPrompt} write={write} error={save.error} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <PromptTexts {...ofTexts} hasLink={preferencesUrl !== null} />
        <PromptPreview prompt={shown} topics={offered.map(({ name }) => name)} />
      </SimpleGrid>
      <OfferedTopics chosen={shown.topicIds} write={(topicIds) => write({ topicIds })} error={save.error} />
      {offered.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <PromptText {...ofTexts} name="topicsLabel" label={words.settings.aboveTheTopics} />
          <PromptText {...ofTexts} name="allTopics" label={words.settings.ticksAllOfThem} />
        </SimpleGrid>
      )}
      <PromptLanguages
        languages={shown.languages}
        lead={words.settings.promptLanguagesLead}
        shownIn={() => shown}
        write={(languages) => write({ languages })}
        error={save.error}
      />
    </SettingsForm>
  );
}

/** Returns the chosen topics of the site, in the order in which they were chosen. */
export function useTopics(chosen: string[]) {
  const topics = useSubscribers().data?.topics ?? [];
  return chosen.flatMap((id) => topics.find(({ topicId }) => topicId === id) ?? []);
}

function OfferedTopics(props: { chosen: string[]; write: (topicIds: string[]) => void; error: unknown }) {
  const { chosen, write, error } = props;
  const { canEdit } = useCurrentSite();
  const topics = useSubscribers().data?.topics ?? [];
  const value = useTopics(chosen).map(({ topicId }) => topicId);
  if (topics.length === 0) return null;
  return (
    <MultiSelect
      label={words.settings.topicsInThePrompt}
      description={words.settings.promptTopicsHint}
      disabled={!canEdit}
      data={topics.map(({ topicId, name }) => ({ value: topicId, label: name }))}
      value={value}
      onChange={write}
      error={faultIn(error, "prompt/topicIds")}
      maxValues={mostTopics}
      limit={shownTopics}
      nothingFoundMessage={words.compose.noSuchTopic}
      searchable
    />
  );
}

/**
 * Returns the paths of the faults that are shown beside a field. A path may be that of a line in a list. `at`: the
 * path of the prompt.
 */
export function fieldsOf(error: unknown, at = "prompt"): string[] {
  const faults = error === null ? [] : toApiError(error).faults;
  const fieldIn = (path: string) => path.slice(at.length + 1).split("/")[0] ?? "";
  return faults
    .map(({ path }) => path.slice(1))
    .filter((path) => path.startsWith(`${at}/`) && names.includes(fieldIn(path)));
}

/** Returns the prompt that readers see: the site's values, and defaults for the others. */
export function shownOf(prompt: Partial<Prompt>, usual: Prompt): Prompt {
  const set = Object.entries(prompt).filter(([, value]) => value !== undefined && String(value).trim() !== "");
  return { ...usual, ...Object.fromEntries(set) };
}

/** Returns the change for the service. An empty field becomes null, which removes the site's value. */
function changeOf(prompt: Partial<Prompt>) {
  const { mode = null, consent = null, topicIds = null } = prompt;
  return { mode, consent, topicIds, ...whenChangeOf(prompt), ...textsChangeOf(prompt) };
}
