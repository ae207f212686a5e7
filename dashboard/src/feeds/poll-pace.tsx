import { NativeSelect, Paper, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FeedView } from "../api/feed-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { useFeedChange } from "./use-feed-change.ts";

/** The longest pause that a feed can ask for, in seconds. */
const usual = "21600";
const paces = [
  {
    value: usual,
    get label() {
      return words.feeds.atPaceOfFeed;
    },
  },
  {
    value: "30",
    get label() {
      return words.feeds.atLeastEvery30Seconds;
    },
  },
  {
    value: "60",
    get label() {
      return words.feeds.atLeastEveryMinute;
    },
  },
  {
    value: "300",
    get label() {
      return words.feeds.atLeastEvery5Minutes;
    },
  },
];

/**
 * The longest time between two polls of a feed, whatever the feed asks for. Only an owner changes it. Applies at
 * once.
 */
export function PollPace({ feed }: { feed: FeedView }) {
  const { isOwner } = useCurrentSite();
  const change = useFeedChange(feed);
  const save = useMutation({
    mutationFn: (value: string) => change({ pollSeconds: Number(value) }),
  });
  const value = String(feed.pollSeconds);
  // The command line may have set a number that is not in the list.
  const own = paces.some((pace) => pace.value === value)
    ? []
    : [{ value, label: words.feeds.atLeastEverySeconds({ value }) }];
  return (
    <Paper component="section" aria-label={words.feeds.paceLabel}>
      <Stack>
        <FormError error={save.error} />
        <NativeSelect
          label={words.feeds.paceLabel}
          description={isOwner ? words.feeds.paceHint : words.feeds.paceOwnerHint}
          disabled={!isOwner || save.isPending}
          value={value}
          data={[...paces, ...own]}
          onChange={(event) => save.mutate(event.currentTarget.value)}
        />
      </Stack>
    </Paper>
  );
}
