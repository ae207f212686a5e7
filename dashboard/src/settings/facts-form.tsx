import { Button, Group, SimpleGrid, TextInput } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { toApiError } from "../api/client.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

/** The limit of the service (src/tenants/sites/declared-facts.ts). */
const maxFacts = 8;

type Row = { name: string; label: string; values: string };

/**
 * The form in which owners declare facts. Each has its name, the label that readers see, and its values between
 * commas.
 */
export function FactsForm({ settings }: { settings: ReaderSettingsView }) {
  const { role } = useCurrentSite();
  const save = useSaveSite();
  const saved = settings.facts.map(({ values, ...fact }) => ({ ...fact, values: values.join(", ") }));
  const { input, write, snapshot } = useEdits<{ rows: Row[] | null }>({ rows: null });
  const rows = input.rows ?? saved;
  const isOwner = role === "owner";
  const change = (at: number, changed: Partial<Row>) =>
    write({ rows: rows.map((row, place) => (place === at ? { ...row, ...changed } : row)) });
  const faults =
    save.error === null ? [] : toApiError(save.error).faults.filter(({ path }) => path.startsWith("/facts/"));
  const fault = (at: number, name: keyof Row) =>
    faults.find(({ path }) => `${path}/`.startsWith(`/facts/${at}/${name}/`))?.message;
  return (
    <SettingsForm
      title={words.settings.factsOfReaders}
      lead={words.settings.factsLead}
      fields={faults.map(({ path }) => path.slice(1))}
      save={save}
      snapshot={snapshot}
      canSave={isOwner}
      change={() => ({ facts: rows.map(factOf) })}
    >
      {rows.map(({ name, label, values }, at) => {
        const field = (of: keyof Row, title: string, value: string, placeholder: string) => (
          <TextInput
            label={title}
            placeholder={placeholder}
            disabled={!isOwner}
            value={value}
            onChange={(event) => change(at, { [of]: event.currentTarget.value })}
            error={fault(at, of)}
          />
        );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name changes as it is typed, and rows keep their places.
          <SimpleGrid key={at} cols={{ base: 1, sm: 4 }} role="group" aria-label={words.settings.fact({ n: at + 1 })}>
            {field("name", words.settings.nameOfTheFact, name, "plan")}
            {field("label", words.settings.whatReadersSee, label, words.settings.factLabelExample)}
            {field("values", words.settings.valuesOfTheFact, values, words.settings.factValuesExample)}
            {isOwner && (
              <Button
                variant="default"
                mt={{ sm: 24 }}
                onClick={() => write({ rows: rows.filter((_, place) => place !== at) })}
              >
                {words.settings.removeTheFact({ n: at + 1 })}
              </Button>
            )}
          </SimpleGrid>
        );
      })}
      {isOwner && rows.length < maxFacts && (
        <Group>
          <Button variant="default" onClick={() => write({ rows: [...rows, { name: "", label: "", values: "" }] })}>
            {words.settings.addAFact}
          </Button>
        </Group>
      )}
    </SettingsForm>
  );
}

function factOf({ name, label, values }: Row) {
  const named = { name: name.trim(), values: values.split(",").flatMap((value) => value.trim() || []) };
  return { ...named, label: label.trim() || named.name };
}
