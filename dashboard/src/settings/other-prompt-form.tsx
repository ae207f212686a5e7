import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import type { OtherPrompt } from "../../../src/tenants/sites/other-prompt.ts";
import { Confirm } from "../components/confirm.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { fieldsOf, shownOf, useTopics } from "./prompt-form.tsx";
import { languagesChangeOf, PromptLanguages } from "./prompt-languages.tsx";
import { PromptPreview } from "./prompt-preview.tsx";
import { PromptTexts, textsChangeOf } from "./prompt-texts.tsx";
import { PromptWhen, whenChangeOf } from "./prompt-when.tsx";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

type Prompt = ReaderSettingsView["usualPrompt"];
type Edited = { [Name in keyof OtherPrompt]?: OtherPrompt[Name] | undefined };

const at = "prompt/other";

/**
 * The second prompt, which half of the readers see instead of the first. An editor writes and changes it, and ends
 * the comparison by choosing one of the two.
 */
export function OtherPromptForm({ settings: { prompt, usualPrompt } }: { settings: ReaderSettingsView }) {
  const { canEdit } = useCurrentSite();
  const [isWriting, setWriting] = useState(false);
  const first = shownOf(prompt, usualPrompt);
  // The second prompt was saved, so the form for a new one closes. It stays closed after the comparison has ended.
  if (prompt.other && isWriting) setWriting(false);
  if (prompt.other) return <Fields key="saved" first={first} set={prompt.other} isRunning />;
  if (isWriting) return <Fields key="new" first={first} set={{}} isRunning={false} />;
  return (
    <Paper component="section" aria-label={words.prompts.aSecondPrompt}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {words.prompts.aSecondPrompt}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {words.prompts.secondPromptLead}
          </Text>
        </div>
        {canEdit && (
          <Button variant="default" w="fit-content" onClick={() => setWriting(true)}>
            {words.prompts.writeASecondPrompt}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

function Fields({ first, set, isRunning }: { first: Prompt; set: OtherPrompt; isRunning: boolean }) {
  const { canEdit } = useCurrentSite();
  const save = useSaveSite();
  const { input, write: writeSome, snapshot } = useEdits<OtherPrompt>(set);
  const write = (change: Edited) => writeSome(change as OtherPrompt);
  const shown = shownOf(input, first);
  const topics = useTopics(first.topicIds).map(({ name }) => name);
  return (
    <SettingsForm
      title={words.prompts.aSecondPrompt}
      lead={words.prompts.secondPromptLead}
      fields={fieldsOf(save.error, at)}
      save={save}
      snapshot={snapshot}
      change={() => ({ prompt: { other: changeOf(set, input) } })}
    >
      <PromptWhen at={at} hasRest={false} prompt={input} usual={first} write={write} error={save.error} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <PromptTexts at={at} input={input} usual={first} write={write} error={save.error} hasLink={false} />
        <PromptPreview prompt={shown} topics={topics} />
      </SimpleGrid>
      <PromptLanguages
        at={at}
        lead={words.prompts.secondLanguagesLead}
        languages={input.languages ?? {}}
        shownIn={(language) => shownOf(first.languages[language] ?? {}, shown)}
        write={(languages) => write({ languages })}
        error={save.error}
      />
      {canEdit && isRunning && <End other={set} />}
    </SettingsForm>
  );
}

/** Ends the comparison, after a question. All readers then see the chosen prompt. */
function End({ other }: { other: OtherPrompt }) {
  const save = useSaveSite();
  const [chosen, choose] = useState<"first" | "second">();
  const { endWithTheFirst, endWithTheSecond, allReadersSeeTheFirst, allReadersSeeTheSecond } = words.prompts;
  const taken = chosen === "second" ? other : {};
  return (
    <Group>
      <Button variant="default" onClick={() => choose("first")}>
        {endWithTheFirst}
      </Button>
      <Button variant="default" onClick={() => choose("second")}>
        {endWithTheSecond}
      </Button>
      <Confirm
        opened={chosen !== undefined}
        onClose={() => choose(undefined)}
        title={words.prompts.endTheComparison}
        action={words.prompts.endIt}
        refusal={words.prompts.goOnComparing}
        act={() => save.mutateAsync({ prompt: { ...taken, other: null } })}
      >
        {chosen === "second" ? allReadersSeeTheSecond : allReadersSeeTheFirst}
      </Confirm>
    </Group>
  );
}

/**
 * Returns the second prompt for the service, which replaces the one before. An empty field means the text of the
 * first prompt.
 */
function changeOf(set: OtherPrompt, input: OtherPrompt) {
  const { repeatDays: _, ...rule } = whenChangeOf(input);
  return { ...rule, ...textsChangeOf(input), languages: languagesChangeOf(set.languages, input.languages) };
}
