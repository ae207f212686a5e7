import { Group, Text } from "@mantine/core";
import { words } from "../words/words.ts";
import { lengthOf } from "./draft.ts";

/** The label of a field with the length of its text. */
export function Counted({ label, text, max }: { label: string; text: string; max: number }) {
  const length = lengthOf(text);
  return (
    <Group justify="space-between" component="span" wrap="nowrap">
      <span>{label}</span>
      <Text
        component="span"
        size="xs"
        className="figures"
        c={length > max ? "var(--status-red)" : "dimmed"}
        fw={length > max ? 600 : 400}
      >
        {words.compose.lengthOf({ length, max })}
      </Text>
    </Group>
  );
}
