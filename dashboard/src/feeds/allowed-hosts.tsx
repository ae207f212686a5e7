import { Button, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../api/client.ts";
import type { FeedView } from "../api/feed-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { useFeedChange } from "./use-feed-change.ts";

/** The other websites to which the items of a feed may lead, beside the site's own. Only an owner changes them. */
export function AllowedHosts({ feed }: { feed: FeedView }) {
  const { isOwner, site } = useCurrentSite();
  const [text, setText] = useState(feed.allowedHosts.join(", "));
  const change = useFeedChange(feed);
  const hosts = text.split(/[\s,]+/).filter((host) => host !== "");
  const save = useMutation({
    mutationFn: () => change({ allowedHosts: hosts }),
    onSuccess: () => notifications.show({ color: "green", message: words.feeds.saved }),
  });
  const faults = save.error === null ? [] : toApiError(save.error).faults;
  const wrong = faults.map(({ path }) => hosts[Number(path.split("/")[2])]).filter((host) => host !== undefined);
  return (
    <Paper component="section" aria-label={words.feeds.otherWebsites}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              {words.feeds.otherWebsites}
            </Title>
            <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: "anywhere" }}>
              {words.feeds.otherWebsitesHint({ url: site.url })}
              {!isOwner && ` ${words.feeds.otherWebsitesOwnerHint}`}
            </Text>
          </div>
          <FormError error={save.error} fields={wrong.length > 0 ? faults.map(({ path }) => path.slice(1)) : []} />
          <TextInput
            label={words.feeds.namesOfWebsites}
            placeholder={words.feeds.websiteNamesExample}
            disabled={!isOwner}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={wrong.length > 0 && words.feeds.websiteNamesInvalid({ join: wrong.join(", ") })}
          />
          {isOwner && (
            <Button type="submit" variant="default" loading={save.isPending} w="fit-content">
              {words.feeds.allowThese}
            </Button>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
