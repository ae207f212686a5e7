import { Button, Group, Paper, Stack, Textarea, Title } from "@mantine/core";
import type { Verdict } from "../api/calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { words } from "../words/words.ts";
import { Counted } from "./counted.tsx";
import { type Draft, maxBodyLength, maxTitleLength } from "./draft.ts";
import { Headlines } from "./headlines.tsx";

/**
 * The fields of the notification, with character counts. `story`: the notification that Pressbell would write from
 * the story.
 */
export function NudgeEditor(props: {
  draft: Draft;
  isEdited: boolean;
  write: (change: Partial<Draft>) => void;
  story: Verdict["nudge"] | null;
  onReset: () => void;
}) {
  const { draft, isEdited, write, story, onReset } = props;
  return (
    <Paper component="section" aria-label={words.compose.nudge}>
      <Stack>
        <Group justify="space-between" mih={26}>
          <Title order={2} size="h4">
            {words.compose.nudge}
          </Title>
          {isEdited && story?.title && (
            <Button variant="subtle" size="compact-sm" onClick={onReset}>
              {words.compose.takeTheStorysOwnWords}
            </Button>
          )}
        </Group>
        <Textarea
          label={<Counted label={words.compose.title} text={draft.title} max={maxTitleLength} />}
          labelProps={{ display: "block" }}
          autosize
          minRows={1}
          maxRows={3}
          value={draft.title}
          onChange={(event) => write({ title: event.currentTarget.value.replace(/\n/g, " ") })}
        />
        {draft.corrects === undefined && <Headlines draft={draft} write={write} />}
        <Textarea
          label={<Counted label={words.compose.text} text={draft.body} max={maxBodyLength} />}
          labelProps={{ display: "block" }}
          autosize
          minRows={2}
          maxRows={6}
          value={draft.body}
          onChange={(event) => write({ body: event.currentTarget.value.replace(/\n/g, " ") })}
        />
        <AddressInput
          label={words.compose.picture}
          description={words.compose.pictureHint}
          value={draft.imageUrl}
          write={(imageUrl) => write({ imageUrl })}
        />
      </Stack>
    </Paper>
  );
}
