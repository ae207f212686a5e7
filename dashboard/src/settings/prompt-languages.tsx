import { Button, Fieldset, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { nameOfLanguage } from "../words/language.ts";
import { words } from "../words/words.ts";
import { texts, textsChangeOf } from "./prompt-texts.tsx";

type Prompt = ReaderSettingsView["usualPrompt"];
type Languages = Prompt["languages"];

const most = 8;
const long = new Set<string>(["body", "install"]);

/**
 * The texts of the prompt on pages in other languages. An empty field means the text of `shownIn` for the language.
 * `at`: the path of the prompt.
 */
export function PromptLanguages(props: {
  at?: string;
  lead: string;
  languages: Languages;
  shownIn: (language: string) => Prompt;
  write: (languages: Languages) => void;
  error: unknown;
}) {
  const { at = "prompt", lead, languages, shownIn, write, error } = props;
  const { canEdit } = useCurrentSite();
  const own = Object.keys(languages);
  const change = (language: string, of: Languages[string]) => write({ ...languages, [language]: of });
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" fw={500}>
          {words.settings.otherLanguages}
        </Text>
        <Text size="xs" c="dimmed">
          {lead}
        </Text>
      </div>
      {own.map((language) => (
        <Fieldset key={language} legend={nameOfLanguage(language)}>
          <WordsOfLanguage
            at={`${at}/languages/${language}`}
            language={language}
            shown={shownIn(language)}
            error={error}
            set={languages[language]!}
            write={(of) => change(language, of)}
          />
          {canEdit && (
            <Button
              variant="default"
              size="compact-sm"
              mt="sm"
              onClick={() => write(Object.fromEntries(Object.entries(languages).filter(([name]) => name !== language)))}
            >
              {words.settings.removeLanguage({ language: nameOfLanguage(language) })}
            </Button>
          )}
        </Fieldset>
      ))}
      {canEdit && own.length < most && <AddLanguage add={(language) => change(language, languages[language] ?? {})} />}
      {faultIn(error, `${at}/languages`) !== undefined && (
        <Text size="sm" c="red">
          {faultIn(error, `${at}/languages`)}
        </Text>
      )}
    </Stack>
  );
}

function WordsOfLanguage(props: {
  at: string;
  language: string;
  set: Languages[string];
  shown: Prompt;
  write: (of: Languages[string]) => void;
  error: unknown;
}) {
  const { at, language, set, shown, write, error } = props;
  const { canEdit } = useCurrentSite();
  const { question, explanation, yes, later, onAnIphoneBeforeIt, linkToChoose, aboveTheTopics, ticksAllOfThem } =
    words.settings;
  const labels = [question, explanation, yes, later, onAnIphoneBeforeIt, linkToChoose, aboveTheTopics, ticksAllOfThem];
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {texts.map((name, i) => {
        const Input = long.has(name) ? Textarea : TextInput;
        return (
          <Input
            key={name}
            label={labels[i]}
            lang={language}
            dir="auto"
            disabled={!canEdit}
            placeholder={shown[name]}
            value={set[name] ?? ""}
            onChange={(event: { currentTarget: { value: string } }) =>
              write({ ...set, [name]: event.currentTarget.value })
            }
            error={faultIn(error, `${at}/${name}`)}
          />
        );
      })}
    </SimpleGrid>
  );
}

/**
 * The field that adds a language. The typed text becomes the name of a language as browsers write it, if there is
 * one.
 */
function AddLanguage({ add }: { add: (language: string) => void }) {
  const [typed, type] = useState("");
  const language = canonical(typed.trim());
  return (
    <Group align="flex-end">
      <TextInput
        label={words.settings.language}
        description={words.settings.languageExample}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={language === undefined}
        onClick={() => {
          if (language !== undefined) add(language);
          type("");
        }}
      >
        {words.settings.addLanguage}
      </Button>
    </Group>
  );
}

function canonical(typed: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(typed)[0];
  } catch {
    return undefined;
  }
}

/**
 * Returns the change for the service. An empty field becomes null, and so does a language of `set` that was removed.
 * Returns null if neither has any language.
 */
export function languagesChangeOf(set: Languages = {}, input: Languages = {}) {
  const all = Object.keys({ ...set, ...input });
  if (all.length === 0) return null;
  return Object.fromEntries(all.map((language) => [language, input[language] ? textsChangeOf(input[language]) : null]));
}
