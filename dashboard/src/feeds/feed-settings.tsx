import { Button, Group, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteFeed, type FeedView } from "../api/feed-calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { Confirm } from "../components/confirm.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { AllowedHosts } from "./allowed-hosts.tsx";
import { FeedRules, fieldsOfRules } from "./feed-rules.tsx";
import { PollPace } from "./poll-pace.tsx";
import { useFeedChange } from "./use-feed-change.ts";
import { useMayForce } from "./use-may-force.ts";

/** The settings of a feed. The switches apply at once; the other fields are saved together. */
export function FeedSettings({ feed, categories }: { feed: FeedView; categories: string[] }) {
  const { canEdit } = useCurrentSite();
  return (
    <Stack gap="lg">
      <Paper component="section" aria-label="Switches">
        <Stack>
          <Enabled feed={feed} />
          <Suggest feed={feed} />
          <Override feed={feed} />
        </Stack>
      </Paper>
      <RulesForm feed={feed} categories={categories} />
      <AllowedHosts key={feed.allowedHosts.join()} feed={feed} />
      <PollPace feed={feed} />
      {canEdit && <Removal feed={feed} />}
    </Stack>
  );
}

function Enabled({ feed }: { feed: FeedView }) {
  const { canEdit } = useCurrentSite();
  const mayForce = useMayForce();
  const change = useFeedChange(feed);
  const [isConfirming, setConfirming] = useState(false);
  const turnOn = useMutation({ mutationFn: () => change({ enabled: true }) });
  return (
    <div>
      <FormError error={turnOn.error} />
      <Switch
        label="Read it and send what is new"
        description="Off: it is not read. What appears meanwhile is not sent later."
        checked={feed.enabled}
        disabled={!canEdit || turnOn.isPending || (!feed.enabled && feed.override && !mayForce)}
        onChange={(event) => (event.currentTarget.checked ? turnOn.mutate() : setConfirming(true))}
      />
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Switch this feed off?"
        action="Switch it off"
        act={() => change({ enabled: false })}
      >
        It is not read any more, and what still waits is skipped. What appears until you switch it on again is not sent.
      </Confirm>
    </div>
  );
}

function Suggest({ feed }: { feed: FeedView }) {
  const { canEdit } = useCurrentSite();
  const change = useFeedChange(feed);
  const toggle = useMutation({ mutationFn: () => change({ suggest: !feed.suggest }) });
  return (
    <div>
      <FormError error={toggle.error} />
      <Switch
        label="Suggest only: an editor decides"
        description={
          feed.override
            ? "Not together with the override: that sends without asking."
            : "What is worth sending waits as a draft, and editors are asked on the devices that they have chosen under Feeds."
        }
        checked={feed.suggest}
        disabled={!canEdit || toggle.isPending || feed.override}
        onChange={() => toggle.mutate()}
      />
    </div>
  );
}

function Override({ feed }: { feed: FeedView }) {
  const { canEdit } = useCurrentSite();
  const mayForce = useMayForce();
  const change = useFeedChange(feed);
  const [isConfirming, setConfirming] = useState(false);
  const turnOff = useMutation({ mutationFn: () => change({ override: false }) });
  return (
    <div>
      <FormError error={turnOff.error} />
      <Switch
        label="Override: send what the decision rejects, too"
        description={
          mayForce
            ? "For a feed in which somebody has chosen each story by hand."
            : "Large sends need a second person here: only an owner turns this on, and changes a feed that has it."
        }
        checked={feed.override}
        disabled={!canEdit || turnOff.isPending || (!feed.override && (!mayForce || feed.suggest))}
        onChange={(event) => (event.currentTarget.checked ? setConfirming(true) : turnOff.mutate())}
      />
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Send whatever this feed brings?"
        action="Turn the override on"
        act={() => change({ override: true })}
      >
        What the content decision rejects goes out too: old stories, in quiet hours, over the site’s caps. Nobody looks
        at it before. Only this feed’s own caps hold ({feed.hourlyCap} within an hour, {feed.dailyCap} within 24 hours).
      </Confirm>
    </div>
  );
}

function RulesForm({ feed, categories }: { feed: FeedView; categories: string[] }) {
  const mayForce = useMayForce();
  const currentSite = useCurrentSite();
  const canEdit = currentSite.canEdit && (mayForce || !feed.override);
  const mayMove = canEdit && (currentSite.isOwner || feed.allowedHosts.length === 0);
  const { url, topics, unmatched, atLimit, hourlyCap, dailyCap } = feed;
  const [input, setInput] = useState({ url, topics, unmatched, atLimit, hourlyCap, dailyCap });
  const change = useFeedChange(feed);
  const save = useMutation({
    mutationFn: () => change(input),
    onSuccess: () => notifications.show({ color: "green", message: "Saved." }),
  });
  return (
    <Paper component="section" aria-label="What goes out, and to which readers">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <Title order={2} size="h4">
            What goes out, and to which readers
          </Title>
          <FormError error={save.error} fields={["url", ...fieldsOfRules(input)]} />
          <AddressInput
            label="Address of the feed"
            description={input.url === url ? undefined : "What is at the new address when you save is not sent."}
            disabled={!mayMove}
            value={input.url}
            write={(address) => setInput({ ...input, url: address })}
            error={faultIn(save.error, "url")}
          />
          <FeedRules
            rules={input}
            set={(rules) => setInput({ ...input, ...rules })}
            error={save.error}
            disabled={!canEdit}
            categories={categories}
          />
          {canEdit && (
            <Button type="submit" loading={save.isPending} w="fit-content">
              Save
            </Button>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

function Removal({ feed }: { feed: FeedView }) {
  const { tenantId, siteId } = useCurrentSite();
  const [isConfirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <Paper component="section" aria-label="Remove">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          Removing a feed removes the list of its items. Its campaigns stay, and what it brought stays known: added
          again, it sends nothing twice.
        </Text>
        <Button variant="default" c="var(--status-red)" onClick={() => setConfirming(true)}>
          Remove this feed
        </Button>
      </Group>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Remove this feed?"
        action="Remove it"
        act={async () => {
          await deleteFeed(tenantId, feed.feedId);
          queries.removeQueries({ queryKey: ["feed", feed.feedId] });
          await navigate({ to: "/sites/$siteId/feeds", params: { siteId } });
          await queries.invalidateQueries({ queryKey: ["feeds", siteId] });
        }}
      >
        It is not read any more, and what still waits is not sent.
      </Confirm>
    </Paper>
  );
}
