import { Box, Button, Checkbox, Group, Text } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { words } from "../words/words.ts";
import classes from "./prompt-preview.module.css";

type Prompt = ReaderSettingsView["usualPrompt"];

/** A preview of a prompt as readers see it. */
export function PromptPreview({ prompt, topics }: { prompt: Prompt; topics: string[] }) {
  return (
    <Box component="figure" m={0} aria-label={words.settings.previewTitle}>
      <Text component="figcaption" size="sm" fw={500} mb={6}>
        {words.settings.previewTitle}
      </Text>
      <div className={classes.prompt} dir="auto" data-testid="prompt-preview">
        <Text fw={650}>{prompt.title}</Text>
        <Text size="sm">{prompt.body}</Text>
        {topics.length > 0 && (
          <Text size="sm" fw={600}>
            {prompt.topicsLabel}
          </Text>
        )}
        {[...(topics.length > 1 ? [prompt.allTopics] : []), ...topics].map((name) => (
          <Checkbox key={name} label={name} size="xs" tabIndex={-1} readOnly checked={false} />
        ))}
        <Group gap="xs" justify="flex-end">
          <Button component="span" variant="default" size="compact-sm" tabIndex={-1}>
            {prompt.later}
          </Button>
          <Button component="span" size="compact-sm" tabIndex={-1}>
            {prompt.accept}
          </Button>
        </Group>
      </div>
    </Box>
  );
}
