import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeFeed, type FeedView } from "../api/feed-calls.ts";
import { usePlace } from "../frame/session.tsx";
import { FormError } from "../parts/form-error.tsx";
import { Icon } from "../parts/icon.tsx";
import { count } from "../parts/numbers.ts";
import { Moment, until } from "../parts/times.tsx";

/** What sets a feed apart at a glance. */
export function FeedBadges({ feed }: { feed: FeedView }) {
  const failures = feed.lastPoll?.failures ?? 0;
  return (
    <Group gap={6}>
      {feed.enabled ? <Mark color="green">On</Mark> : <Mark color="gray">Off</Mark>}
      {feed.override && <Mark color="orange">Override</Mark>}
      {feed.enabled && failures > 0 && (
        <Mark color="red">{failures === 1 ? "Failed" : `Failed ${failures} times`}</Mark>
      )}
    </Group>
  );
}

function Mark({ color, children }: { color: string; children: React.ReactNode }) {
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" fw={600} c={`var(--status-${color})`}>
      {children}
    </Badge>
  );
}

/** When it was and will be read, and what came of it. */
export function Polls({ feed: { lastPoll, nextPollAt, push, enabled } }: { feed: FeedView }) {
  const { timeZone } = usePlace().site;
  return (
    <Text size="sm" c="dimmed" component="div">
      {lastPoll === null ? (
        "Not read yet."
      ) : (
        <>
          Read <Moment at={lastPoll.at} timeZone={timeZone} />:{" "}
          {lastPoll.outcome === "failed" ? (
            <Text component="span" c="var(--status-red)">
              {lastPoll.message}
            </Text>
          ) : (
            whatCame(lastPoll.newItems)
          )}
        </>
      )}{" "}
      {enabled && nextPollAt !== null && (
        <>
          Next {until(nextPollAt)}
          {lastPoll !== null && `: ${lastPoll.because}`}.
        </>
      )}
      {!enabled && "It is off: it is not read, and nothing of it is sent."}
      {enabled && push?.state === "active" && " Its hub tells us at once of what is new."}
    </Text>
  );
}

function whatCame(newItems: number): string {
  if (newItems === 0) return "nothing new.";
  return newItems === 1 ? "one new item." : `${count(newItems)} new items.`;
}

/** What it warns of, and what it asks. */
export function FeedAlerts({ feed }: { feed: FeedView }) {
  if (feed.warnings.length === 0 && feed.question === null) return null;
  return (
    <Stack gap="xs">
      {feed.question !== null && <Question feed={feed} question={feed.question} />}
      {feed.warnings.map(({ code, message }) => (
        <Alert key={code} color="orange" variant="light" icon={<Icon name="warning" />} data-alert={code}>
          {message}
        </Alert>
      ))}
    </Stack>
  );
}

/** More came at once than news does: nothing of it goes out before somebody has said so. */
function Question({ feed, question }: { feed: FeedView; question: NonNullable<FeedView["question"]> }) {
  const { tenantId, canEdit } = usePlace();
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (newItems: "send" | "skip") => changeFeed(tenantId, feed.feedId, { newItems }),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} data-alert={question.code}>
      <Stack gap="sm">
        <Text size="sm">{question.message}</Text>
        <FormError error={answer.error} />
        {canEdit && (
          <Group gap="xs">
            <Button size="compact-sm" loading={answer.isPending} onClick={() => answer.mutate("skip")}>
              Skip them
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              loading={answer.isPending}
              onClick={() => answer.mutate("send")}
            >
              Send them
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
