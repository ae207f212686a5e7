import { Anchor, Group } from "@mantine/core";
import { languages, otherLanguages } from "../words/language.ts";
import { speak } from "../words/speak.ts";

/** Links that change to the dashboard's other languages. Each language has its own name for itself. */
export function LanguageChoice() {
  return (
    <Group justify="center" mt="lg" gap="md">
      {otherLanguages.map((name) => (
        <Anchor
          key={name}
          component="button"
          type="button"
          size="sm"
          c="dimmed"
          lang={name}
          onClick={() => speak(name)}
        >
          {languages[name].name}
        </Anchor>
      ))}
    </Group>
  );
}
