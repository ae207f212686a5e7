import { Button, type ButtonProps, Group, Text } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";
import { Icon } from "../components/icon.tsx";
import { people } from "../components/numbers.ts";
import { StoryPicture } from "../components/story-picture.tsx";
import { words } from "../words/words.ts";
import type { Draft } from "./draft.ts";
import { isPaused, sumOf, useSizes } from "./other-sites.ts";
import classes from "./send-bar.module.css";
import { useSegment } from "./use-segments.ts";
import { useSubscribers } from "./use-subscribers.ts";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * A bar that stays in view. Shows what would be sent, to how many readers, and to which topics, followers and
 * segment, with the buttons that send it. `missing`: why it cannot be sent yet. `notes`: the result of the last
 * button press.
 */
export function SendBar(props: { draft: Draft; missing: string | null; notes: ReactNode; children: ReactNode }) {
  const { draft, missing, notes, children } = props;
  return (
    <div className={classes.bar} data-send-bar>
      <div className={classes.notes}>{notes}</div>
      <Group gap="sm" wrap="nowrap" miw={0}>
        <StoryPicture url={draft.imageUrl} className={classes.picture} />
        <div className={classes.words}>
          <Text size="sm" fw={600} truncate dir="auto">
            {draft.title.trim() || words.compose.noTitleYet}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={2} className="figures" data-testid="send-bar-audience">
            {missing ?? <Readers draft={draft} />}
          </Text>
        </div>
      </Group>
      <div className={classes.buttons}>{children}</div>
    </div>
  );
}

/** The button that sends now. It shows its keyboard shortcut. */
export function SendButton(
  props: Pick<ButtonProps, "disabled" | "loading"> & { onClick: MouseEventHandler<HTMLButtonElement> },
) {
  return (
    <Button
      {...props}
      leftSection={<Icon name="send" size={16} />}
      rightSection={
        <Text size="xs" span visibleFrom="sm" aria-hidden="true">
          {isApple ? "⌘↵" : `${words.layout.ctrl} ↵`}
        </Text>
      }
      aria-keyshortcuts="Meta+Enter Control+Enter"
    >
      {words.compose.sendNow}
    </Button>
  );
}

function Readers({ draft }: { draft: Draft }) {
  const sizes = useSizes(draft);
  const open = sizes.map(({ size }) => size).filter((size) => !isPaused(size));
  const sum = sumOf(open);
  const topics = useSubscribers().data?.topics ?? [];
  const segment = useSegment(draft.segment)?.name;
  const chosen = topics
    .filter(({ topicId }) => draft.topicIds.includes(topicId))
    .map(({ name }) => name)
    .join(", ");
  const who =
    draft.corrects !== undefined
      ? words.compose.readersOfFirstNudge
      : [chosen, draft.followersOf, segment].filter(Boolean).join(" · ") || words.compose.toEverybody;
  if (open.length === 0) return words.compose.paused;
  return (
    <>
      {sum === undefined ? "…" : people(sum.audience, sum.exact)} ·{" "}
      <bdi>{sizes.length > 1 ? words.compose.atSites({ n: open.length }) : who}</bdi>
    </>
  );
}
