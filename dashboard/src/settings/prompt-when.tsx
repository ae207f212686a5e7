import { SimpleGrid, Textarea } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { toApiError } from "../api/client.ts";
import { faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type Prompt = ReaderSettingsView["usualPrompt"];
const ofRule = ["fromPage", "fromVisit", "delaySeconds", "scrollPercent"] as const;
const numbers = [...ofRule, "repeatDays"] as const;
const paths = ["onlyPaths", "neverPaths"] as const;

/** The fields of a prompt that say when it appears. */
export const whenFields = [...numbers, ...paths];

/**
 * The fields for when and on which pages the prompt appears. An empty field means the value of `usual`. `at`: the
 * path of the prompt. `hasRest`: whether there is a field for how long the prompt rests after "later".
 */
export function PromptWhen(props: {
  at?: string;
  hasRest?: boolean;
  prompt: Partial<Prompt>;
  usual: Prompt;
  write: (change: Partial<Prompt>) => void;
  error: unknown;
}) {
  const { at = "prompt", hasRest = true, prompt, usual, write, error } = props;
  const { canEdit } = useCurrentSite();
  const labels = words.settings.whenLabels;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {(hasRest ? numbers : ofRule).map((name) => (
          <WholeNumber
            key={name}
            label={labels[name]}
            disabled={!canEdit}
            placeholder={String(usual[name])}
            value={prompt[name]}
            write={(value) => write({ [name]: value ?? undefined })}
            error={faultIn(error, `${at}/${name}`)}
          />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {paths.map((name) => (
          <Textarea
            key={name}
            label={labels[name]}
            description={hasRest ? words.settings.pathsHint : words.prompts.pathsHint}
            autosize
            disabled={!canEdit}
            placeholder={usual[name].join("\n")}
            value={(prompt[name] ?? []).join("\n")}
            onChange={(event) => write({ [name]: event.currentTarget.value.split("\n") })}
            error={faultOfPaths(error, `/${at}/${name}`)}
          />
        ))}
      </SimpleGrid>
    </>
  );
}

/** Returns the change for the service. An empty field becomes null, which removes the site's value. */
export function whenChangeOf(prompt: Partial<Prompt>) {
  const written = paths.map((name) => {
    const lines = (prompt[name] ?? []).map((path) => path.trim()).filter(Boolean);
    return [name, lines.length > 0 ? lines : null];
  });
  const numbersSet = numbers.map((name) => [name, prompt[name] ?? null]);
  return Object.fromEntries([...numbersSet, ...written]) as {
    [Name in (typeof whenFields)[number]]: Prompt[Name] | null;
  };
}

/** Returns the fault of a list of paths, or of one of its lines. */
function faultOfPaths(error: unknown, list: string): string | undefined {
  if (error === null) return undefined;
  return toApiError(error).faults.find(({ path }) => path.startsWith(list))?.message;
}
