import { NativeSelect, Paper, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FeedView } from "../api/feed-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useFeedChange } from "./use-feed-change.ts";

/** The longest pause that a feed can ask for. */
const usual = "21600";
const paces = [
  { value: usual, label: "as often as the feed allows" },
  { value: "30", label: "at least every 30 seconds" },
  { value: "60", label: "at least every minute" },
  { value: "300", label: "at least every 5 minutes" },
];

/** How often a feed is read, whatever it asks for. Only an owner changes it. Applies at once. */
export function PollPace({ feed }: { feed: FeedView }) {
  const { isOwner } = useCurrentSite();
  const change = useFeedChange(feed);
  const save = useMutation({
    mutationFn: (value: string) => change({ pollSeconds: Number(value) }),
  });
  const value = String(feed.pollSeconds);
  // The command line may have set another number.
  const own = paces.some((pace) => pace.value === value) ? [] : [{ value, label: `at least every ${value} seconds` }];
  return (
    <Paper component="section" aria-label="How often it is read">
      <Stack>
        <FormError error={save.error} />
        <NativeSelect
          label="How often it is read"
          description={
            isOwner
              ? "Some feeds ask to be read once an hour only. Read your own more often, if its server can bear it."
              : "Only an owner changes this."
          }
          disabled={!isOwner || save.isPending}
          value={value}
          data={[...paces, ...own]}
          onChange={(event) => save.mutate(event.currentTarget.value)}
        />
      </Stack>
    </Paper>
  );
}
