import { Group, NativeSelect, Paper, SimpleGrid, Stack, TagsInput, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Urgency } from "../api/calls.ts";
import { people } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { AlsoTo } from "./also-to.tsx";
import { audienceQuery } from "./audience-query.ts";
import { ClassChoice } from "./class-choice.tsx";
import type { Draft } from "./draft.ts";
import { FollowersChoice } from "./followers-choice.tsx";
import { SegmentChoice } from "./segment-choice.tsx";
import { TopicChoice } from "./topic-choice.tsx";
import { useSubscribers } from "./use-subscribers.ts";

/**
 * The audience of a draft: its topics or what its readers follow, and its segment. Also its time to live and its
 * urgency.
 */
export function Audience(props: {
  draft: Draft;
  write: (change: Partial<Draft>) => void;
  /** Whether the draft is of a scheduled notification, whose sites cannot change. */
  isScheduled: boolean;
}) {
  const { draft, write, isScheduled } = props;
  const size = useQuery({ ...audienceQuery(useCurrentSite(), draft), placeholderData: keepPreviousData });
  return (
    <Paper component="section" aria-label={words.compose.audience}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {words.compose.audience}
          </Title>
          <Text fw={600} className="figures" aria-live="polite" data-testid="audience-size">
            {size.data === undefined ? "…" : people(size.data.audience, size.data.exact)}
          </Text>
        </Group>
        <Readers draft={draft} write={write} />
        {draft.corrects === undefined && !isScheduled && <AlsoTo draft={draft} write={write} />}
        <TagsInput
          label={words.compose.labels}
          description={words.compose.labelsHint}
          value={draft.labels}
          maxTags={10}
          onChange={(labels) => write({ labels })}
        />
        <ClassChoice value={draft.class} onChange={(chosen) => write({ class: chosen })} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            label={words.compose.expiresAfter}
            description={words.compose.expiresAfterHint}
            value={String(draft.ttlSeconds)}
            onChange={(event) => write({ ttlSeconds: Number(event.currentTarget.value) })}
            data={lifetimes(draft.ttlSeconds)}
          />
          <NativeSelect
            label={words.compose.urgency}
            description={words.compose.urgencyHint}
            value={draft.urgency}
            onChange={(event) => write({ urgency: event.currentTarget.value as Urgency })}
            data={[
              { value: "high", label: words.compose.high },
              { value: "normal", label: words.compose.normal },
              { value: "low", label: words.compose.low },
              { value: "very-low", label: words.compose.veryLow },
            ]}
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

/** The fields that choose the readers of a draft. A draft has either topics or followers, as in the API. */
function Readers({ draft, write }: Pick<Parameters<typeof Audience>[0], "draft" | "write">) {
  const topics = useSubscribers().data?.topics ?? [];
  const { corrects, topicIds, followersOf = "", segment = "" } = draft;
  if (corrects !== undefined) return <Dimmed>{words.compose.correctionAudience}</Dimmed>;
  const narrowed =
    followersOf !== "" ? "noSegmentOfFollowers" : topicIds.length > 0 ? "noSegmentOfTopics" : "noSegment";
  return (
    <>
      {topics.length === 0 && followersOf === "" && <Dimmed>{words.compose.everybodyAudience}</Dimmed>}
      {topics.length > 0 && followersOf === "" && (
        <TopicChoice topics={topics} value={topicIds} onChange={(chosen) => write({ topicIds: chosen })} />
      )}
      {topicIds.length === 0 && (
        <FollowersChoice value={followersOf} onChange={(chosen) => write({ followersOf: chosen })} />
      )}
      <SegmentChoice value={segment} none={words.compose[narrowed]} onChange={(chosen) => write({ segment: chosen })} />
    </>
  );
}

function Dimmed({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

const hourSeconds = 3_600;
const usualSeconds = [1, 4, 12, 24, 72].map((hours) => hours * hourSeconds);

/** Returns the options for the time to live: the usual ones, and the draft's own if it was created with the API. */
function lifetimes(current: number) {
  return [...new Set([...usualSeconds, current])]
    .toSorted((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: formatDuration(seconds) }));
}

function formatDuration(seconds: number): string {
  const { days, hours, minutes } = words.compose;
  if (seconds % (24 * hourSeconds) === 0) return days({ n: seconds / 24 / hourSeconds });
  return seconds % hourSeconds === 0 ? hours({ n: seconds / hourSeconds }) : minutes({ n: Math.round(seconds / 60) });
}
