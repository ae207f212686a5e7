import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeFeed, type FeedView } from "../api/feed-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { inZone, Said } from "../components/said.tsx";
import { Moment, until } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { useMayForce } from "./use-may-force.ts";

/** Badges for the state of a feed: on or off, override, failed polls. */
export function FeedBadges({ feed }: { feed: FeedView }) {
  const failures = feed.lastPoll?.failures ?? 0;
  return (
    <Group gap={6}>
      {feed.enabled ? (
        <StateBadge color="green">{words.feeds.on}</StateBadge>
      ) : (
        <StateBadge color="gray">{words.feeds.off}</StateBadge>
      )}
      {feed.suggest && <StateBadge color="petrol">{words.feeds.suggests}</StateBadge>}
      {feed.override && <StateBadge color="orange">{words.feeds.override}</StateBadge>}
      {feed.enabled && failures > 0 && (
        <StateBadge color="red">
          {failures === 1 ? words.feeds.failed : words.feeds.failedTimes({ failures })}
        </StateBadge>
      )}
    </Group>
  );
}

function StateBadge({ color, children }: { color: string; children: React.ReactNode }) {
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" fw={600} c={`var(--status-${color})`}>
      {children}
    </Badge>
  );
}

/** The last poll of a feed with its result, and the time of the next poll. */
export function Polls({ feed: { lastPoll, nextPollAt, push, enabled } }: { feed: FeedView }) {
  const { timeZone } = useCurrentSite().site;
  return (
    <Text size="sm" c="dimmed" component="div">
      {lastPoll === null
        ? words.feeds.notReadYet
        : words.feeds.read({ when: <Moment at={lastPoll.at} timeZone={timeZone} />, result: resultOf(lastPoll) })}{" "}
      {enabled &&
        nextPollAt !== null &&
        (lastPoll === null
          ? words.feeds.next({ when: until(nextPollAt) })
          : words.feeds.nextBecause({ when: until(nextPollAt), because: inZone(lastPoll.because, timeZone) }))}
      {!enabled && words.feeds.feedIsOff}
      {enabled && push?.state === "active" && ` ${words.feeds.feedHasHub}`}
    </Text>
  );
}

function resultOf({ outcome, message, messageCode, params, newItems }: NonNullable<FeedView["lastPoll"]>) {
  if (outcome !== "failed") return newItems === 0 ? words.feeds.nothingNew : words.feeds.newItems({ n: newItems });
  return (
    <Text component="span" c="var(--status-red)">
      <Said of={{ message: message!, messageCode: messageCode!, params: params! }} />
    </Text>
  );
}

/** The warnings of a feed, and its question about an unusual number of new items. */
export function FeedAlerts({ feed }: { feed: FeedView }) {
  if (feed.warnings.length === 0 && feed.question === null) return null;
  return (
    <Stack gap="xs">
      {feed.question !== null && <Question feed={feed} question={feed.question} />}
      {feed.warnings.map(({ code, ...sentence }) => (
        <Alert key={code} color="orange" variant="light" icon={<Icon name="warning" />} data-alert={code}>
          <Said of={sentence} />
        </Alert>
      ))}
    </Stack>
  );
}

/** Asks whether to send or skip an unusual number of new items. Nothing is sent before an editor has answered. */
function Question({ feed, question }: { feed: FeedView; question: NonNullable<FeedView["question"]> }) {
  const { tenantId, canEdit } = useCurrentSite();
  const maySend = useMayForce() || !feed.override;
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (newItems: "send" | "skip") => changeFeed(tenantId, feed.feedId, { newItems }),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} data-alert={question.code}>
      <Stack gap="sm">
        <Text size="sm">
          <Said of={question} />
        </Text>
        <FormError error={answer.error} />
        {canEdit && (
          <Group gap="xs">
            <Button size="compact-sm" loading={answer.isPending} onClick={() => answer.mutate("skip")}>
              {words.feeds.skipThem}
            </Button>
            {maySend && (
              <Button
                size="compact-sm"
                variant="default"
                loading={answer.isPending}
                onClick={() => answer.mutate("send")}
              >
                {words.feeds.sendThem}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
