import { Button, Group, NativeSelect, Stack, Text, Textarea } from "@mantine/core";
import type * as limits from "../../../src/campaigns/headline-variants.ts";
import { words } from "../words/words.ts";
import { Counted } from "./counted.tsx";
import { type Draft, maxTitleLength } from "./draft.ts";

/** The default of the service. The type ensures that both are equal. */
const defaultTestMinutes: typeof limits.defaultTestMinutes = 30;
const maxVariants = 3;
const choices = [10, 20, 30, 60, 120];

/** The further headlines of a draft. The clicks of a part of the readers decide which one the rest gets. */
export function Headlines({ draft, write }: { draft: Draft; write: (change: Partial<Draft>) => void }) {
  const { variants = [], testMinutes = defaultTestMinutes } = draft;
  const change = (at: number, title: string) =>
    write({ variants: variants.map((variant, i) => (i === at ? { ...variant, title } : variant)) });
  const remove = (at: number) => {
    write({ variants: variants.filter((_, i) => i !== at) });
  };
  return (
    <Stack gap="xs">
      {variants.map(({ title = draft.title }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a headline has no other name than its place
        <Stack gap={4} key={i}>
          <Textarea
            label={<Counted label={words.compose.headline({ n: i + 2 })} text={title} max={maxTitleLength} />}
            labelProps={{ display: "block" }}
            autosize
            minRows={1}
            maxRows={3}
            value={title}
            onChange={(event) => change(i, event.currentTarget.value.replace(/\n/g, " "))}
          />
          <Group justify="end">
            <Button variant="subtle" size="compact-xs" onClick={() => remove(i)}>
              {words.compose.removeHeadline({ n: i + 2 })}
            </Button>
          </Group>
        </Stack>
      ))}
      {variants.length < maxVariants && (
        <Group>
          <Button variant="subtle" size="compact-sm" onClick={() => write({ variants: [...variants, { title: "" }] })}>
            {words.compose.tryAnotherHeadline}
          </Button>
        </Group>
      )}
      {variants.length > 0 && (
        <>
          <NativeSelect
            label={words.compose.headlineTestWait}
            data={[...new Set([...choices, testMinutes])]
              .toSorted((a, b) => a - b)
              .map((n) => ({ value: String(n), label: words.compose.minutes({ n }) }))}
            value={String(testMinutes)}
            onChange={(event) => write({ testMinutes: Number(event.currentTarget.value) })}
          />
          <Text size="sm" c="dimmed">
            {words.compose.headlineTestHint}
          </Text>
        </>
      )}
    </Stack>
  );
}
