import { SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The texts of a prompt. */
export const texts = ["title", "body", "accept", "later", "install", "choose", "topicsLabel", "allTopics"] as const;
type TextName = (typeof texts)[number];
type Texts = Partial<Record<TextName, string>>;

/** `at`: the path of the prompt. `input`: the texts in the form. An empty text means that of `usual`. */
type Of = {
  at: string;
  input: Texts;
  usual: ReaderSettingsView["usualPrompt"];
  write: (change: Texts) => void;
  error: unknown;
};

/** The field of one text. */
export function PromptText(props: Of & { name: TextName; label: string; isLong?: boolean }) {
  const { at, input, usual, write, error, name, label, isLong = false } = props;
  const { canEdit } = useCurrentSite();
  const Input: typeof TextInput | typeof Textarea = isLong ? Textarea : TextInput;
  return (
    <Input
      label={label}
      disabled={!canEdit}
      placeholder={usual[name]}
      value={input[name] ?? ""}
      onChange={(event: { currentTarget: { value: string } }) => write({ [name]: event.currentTarget.value })}
      error={faultIn(error, `${at}/${name}`)}
    />
  );
}

/**
 * The fields of the texts that every prompt shows. `hasLink`: whether there is a field for the text of the link to
 * the preferences.
 */
export function PromptTexts({ hasLink, ...of }: Of & { hasLink: boolean }) {
  return (
    <Stack>
      <PromptText {...of} name="title" label={words.settings.question} />
      <PromptText {...of} name="body" label={words.settings.explanation} isLong />
      <SimpleGrid cols={2}>
        <PromptText {...of} name="accept" label={words.settings.yes} />
        <PromptText {...of} name="later" label={words.settings.later} />
      </SimpleGrid>
      {hasLink && <PromptText {...of} name="choose" label={words.settings.linkToChoose} />}
      <PromptText {...of} name="install" label={words.settings.onAnIphoneBeforeIt} isLong />
    </Stack>
  );
}

/** Returns the texts for the service. An empty field becomes null, which removes the site's value. */
export function textsChangeOf(input: Texts) {
  const written = texts.map((name) => [name, input[name]?.trim() || null]);
  return Object.fromEntries(written) as Partial<Record<TextName, string | null>>;
}
