import { Button, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../api/client.ts";
import type { FeedView } from "../api/feed-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useFeedChange } from "./use-feed-change.ts";

/** The websites other than the site's own to which the items of a feed may lead. Only an owner changes them. */
export function AllowedHosts({ feed }: { feed: FeedView }) {
  const { isOwner, site } = useCurrentSite();
  const [text, setText] = useState(feed.allowedHosts.join(", "));
  const change = useFeedChange(feed);
  const hosts = text.split(/[\s,]+/).filter((host) => host !== "");
  const save = useMutation({
    mutationFn: () => change({ allowedHosts: hosts }),
    onSuccess: () => notifications.show({ color: "green", message: "Saved." }),
  });
  const faults = save.error === null ? [] : toApiError(save.error).faults;
  const wrong = faults.map(({ path }) => hosts[Number(path.split("/")[2])]).filter((host) => host !== undefined);
  return (
    <Paper component="section" aria-label="Other websites">
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
              Other websites
            </Title>
            <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: "anywhere" }}>
              What it brings may lead to pages of {site.url}, and of the websites named here. What leads elsewhere is
              not sent.
              {!isOwner && " Only an owner changes this, and the address of a feed with other websites."}
            </Text>
          </div>
          <FormError error={save.error} fields={wrong.length > 0 ? faults.map(({ path }) => path.slice(1)) : []} />
          <TextInput
            label="Names of websites"
            placeholder="blog.example.org, shop.example.org"
            disabled={!isOwner}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={wrong.length > 0 && `These are no names of websites: ${wrong.join(", ")}`}
          />
          {isOwner && (
            <Button type="submit" variant="default" loading={save.isPending} w="fit-content">
              Allow these
            </Button>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
