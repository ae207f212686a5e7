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
import { words } from "../words/words.ts";
import { AllowedHosts } from "./allowed-hosts.tsx";
import { FeedRules, fieldsOfRules } from "./feed-rules.tsx";
import { PollPace } from "./poll-pace.tsx";
import { useFeedChange } from "./use-feed-change.ts";
import { useMayForce } from "./use-may-force.ts";

/** The settings of a feed. The switches apply at once. The other fields are saved together. */
export function FeedSettings({ feed, categories }: { feed: FeedView; categories: string[] }) {
  const { canEdit } = useCurrentSite();
  const { url, topics, segment, unmatched, atLimit, hourlyLimit, dailyLimit } = feed;
  return (
    <Stack gap="lg">
      <Paper component="section" aria-label={words.feeds.switches}>
        <Stack>
          <Enabled feed={feed} />
          <Suggest feed={feed} />
          <TestHeadlines feed={feed} />
          <Override feed={feed} />
        </Stack>
      </Paper>
      <RulesForm
        // The key resets only this form when a colleague saves other rules, so that a dialog of another part stays
        // open.
        key={JSON.stringify([url, topics, segment, unmatched, atLimit, hourlyLimit, dailyLimit])}
        feed={feed}
        categories={categories}
      />
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
        label={words.feeds.feedSwitch}
        description={words.feeds.feedSwitchHint}
        checked={feed.enabled}
        disabled={!canEdit || turnOn.isPending || (!feed.enabled && feed.override && !mayForce)}
        onChange={(event) => (event.currentTarget.checked ? turnOn.mutate() : setConfirming(true))}
      />
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.feeds.switchThisFeedOff}
        action={words.feeds.switchItOff}
        act={() => change({ enabled: false })}
      >
        {words.feeds.switchOffWarning}
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
        label={words.feeds.suggestSwitch}
        description={feed.override ? words.feeds.suggestNotWithOverride : words.feeds.suggestHint}
        checked={feed.suggest}
        disabled={!canEdit || toggle.isPending || feed.override}
        onChange={() => toggle.mutate()}
      />
    </div>
  );
}

function TestHeadlines({ feed }: { feed: FeedView }) {
  const { canEdit } = useCurrentSite();
  const change = useFeedChange(feed);
  const toggle = useMutation({ mutationFn: () => change({ testHeadlines: !feed.testHeadlines }) });
  return (
    <div>
      <FormError error={toggle.error} />
      <Switch
        label={words.feeds.tryBothHeadlines}
        description={words.feeds.tryBothHeadlinesHint}
        checked={feed.testHeadlines}
        disabled={!canEdit || toggle.isPending}
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
        label={words.feeds.overrideSwitch}
        description={mayForce ? words.feeds.overrideHint : words.feeds.overrideOwnerHint}
        checked={feed.override}
        disabled={!canEdit || turnOff.isPending || (!feed.override && (!mayForce || feed.suggest))}
        onChange={(event) => (event.currentTarget.checked ? setConfirming(true) : turnOff.mutate())}
      />
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.feeds.overrideTitle}
        action={words.feeds.turnTheOverrideOn}
        act={() => change({ override: true })}
      >
        {words.feeds.overrideWarning({ hourlyLimit: feed.hourlyLimit, dailyLimit: feed.dailyLimit })}
      </Confirm>
    </div>
  );
}

function RulesForm({ feed, categories }: { feed: FeedView; categories: string[] }) {
  const mayForce = useMayForce();
  const currentSite = useCurrentSite();
  const canEdit = currentSite.canEdit && (mayForce || !feed.override);
  const mayMove = canEdit && (currentSite.isOwner || feed.allowedHosts.length === 0);
  const { url, topics, unmatched, atLimit, hourlyLimit, dailyLimit } = feed;
  const segment = feed.segment ?? "";
  const [input, setInput] = useState({ url, topics, segment, unmatched, atLimit, hourlyLimit, dailyLimit });
  const change = useFeedChange(feed);
  const save = useMutation({
    mutationFn: () => change(input),
    onSuccess: () => notifications.show({ color: "green", message: words.feeds.saved }),
  });
  return (
    <Paper component="section" aria-label={words.feeds.rulesTitle}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <Title order={2} size="h4">
            {words.feeds.rulesTitle}
          </Title>
          <FormError error={save.error} fields={["url", ...fieldsOfRules(input)]} />
          <AddressInput
            label={words.feeds.addressOfTheFeed}
            description={input.url === url ? undefined : words.feeds.feedAddressHint}
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
              {words.feeds.save}
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
    <Paper component="section" aria-label={words.feeds.remove}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          {words.feeds.removeFeedHint}
        </Text>
        <Button variant="default" c="var(--status-red)" onClick={() => setConfirming(true)}>
          {words.feeds.removeThisFeed}
        </Button>
      </Group>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.feeds.removeFeedTitle}
        action={words.feeds.removeIt}
        act={async () => {
          await deleteFeed(tenantId, feed.feedId);
          queries.removeQueries({ queryKey: ["feed", feed.feedId] });
          await navigate({ to: "/sites/$siteId/feeds", params: { siteId } });
          await queries.invalidateQueries({ queryKey: ["feeds", siteId] });
        }}
      >
        {words.feeds.removeFeedWarning}
      </Confirm>
    </Paper>
  );
}
