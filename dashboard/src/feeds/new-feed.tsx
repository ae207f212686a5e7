import { Button, Group, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addFeed, type DiscoveredFeed, discoverFeeds, tryFeed } from "../api/feed-calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { canBeAdded, FeedPreview } from "./feed-preview.tsx";
import { defaultRules, FeedRules, fieldsOfRules, type Rules } from "./feed-rules.tsx";

/** Discovers a feed, shows what a poll would read, and then adds it. */
export function NewFeed({ onEnd }: { onEnd: () => void }) {
  const { tenantId, siteId, site } = useCurrentSite();
  const [url, setUrl] = useState("");
  const add = useAdd(url);
  const tryOut = useMutation({ mutationFn: (address: string) => tryFeed(tenantId, siteId, address) });
  const discover = useMutation({ mutationFn: () => discoverFeeds(tenantId, siteId) });
  const choose = (address: string) => {
    setUrl(address);
    tryOut.mutate(address);
  };
  const write = (address: string) => {
    setUrl(address);
    tryOut.reset();
    add.reset();
  };
  return (
    <Paper component="section" aria-label={words.feeds.addAFeed}>
      <Stack>
        <Title order={2} size="h4">
          {words.feeds.addAFeed}
        </Title>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            tryOut.mutate(url);
          }}
        >
          <Stack gap="xs">
            <FormError error={tryOut.error ?? discover.error} fields={["url"]} />
            <Group align="flex-start" gap="xs">
              <AddressInput
                label={words.feeds.addressOfTheFeed}
                placeholder={`${site.url.replace(/\/$/, "")}/rss.xml`}
                flex="1 1 260px"
                value={url}
                write={write}
                error={faultIn(tryOut.error ?? add.error, "url")}
              />
              <Button
                type="submit"
                mt={25}
                variant={tryOut.data?.isFeed ? "default" : "filled"}
                loading={tryOut.isPending}
              >
                {words.feeds.tryIt}
              </Button>
            </Group>
          </Stack>
        </form>
        {tryOut.data === undefined && (
          <Group gap="xs">
            <Button variant="default" loading={discover.isPending} onClick={() => discover.mutate()}>
              {words.feeds.findFeeds}
            </Button>
            <Button variant="subtle" onClick={onEnd}>
              {words.feeds.notNow}
            </Button>
          </Group>
        )}
        {tryOut.data === undefined && discover.data !== undefined && <Found found={discover.data} choose={choose} />}
        {tryOut.data !== undefined && (
          <>
            <FeedPreview tried={tryOut.data} />
            {canBeAdded(tryOut.data) && (
              <Save add={add} categories={tryOut.data.isFeed ? tryOut.data.categories : []} onEnd={onEnd} />
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

function Found({ found, choose }: { found: DiscoveredFeed[]; choose: (url: string) => void }) {
  const { site } = useCurrentSite();
  if (found.length === 0) {
    return (
      <Text size="sm" role="status">
        {words.feeds.noFeedsFound({ url: site.url })}
      </Text>
    );
  }
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {found.map(({ url, title }) => (
        <Group key={url} component="li" justify="space-between" wrap="nowrap">
          <Text size="sm" miw={0} style={{ overflowWrap: "anywhere" }}>
            {title !== null && <b dir="auto">{title} </b>}
            {url}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={words.feeds.tryUrl({ url })}
            onClick={() => choose(url)}
            flex="none"
          >
            {words.feeds.tryIt}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

function useAdd(url: string) {
  const { tenantId, siteId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (settings: Rules & { suggest: boolean }) =>
      withRecentSignIn(() => addFeed(tenantId, siteId, { url, ...settings })),
    async onSuccess({ feedId }) {
      await queries.invalidateQueries({ queryKey: ["feeds", siteId] });
      await navigate({ to: "/sites/$siteId/feeds/$feedId", params: { siteId, feedId } });
    },
  });
}

function Save(props: { add: ReturnType<typeof useAdd>; categories: string[]; onEnd: () => void }) {
  const { add, categories, onEnd } = props;
  const [rules, setRules] = useState(defaultRules);
  // A new feed suggests by default, because nobody has seen its items yet.
  const [suggest, setSuggest] = useState(true);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ ...rules, suggest });
      }}
    >
      <Stack>
        <FormError error={add.error} fields={["url", ...fieldsOfRules(rules)]} />
        <FeedRules
          rules={rules}
          set={(change) => setRules({ ...rules, ...change })}
          error={add.error}
          categories={categories}
        />
        <Switch
          label={words.feeds.suggestSwitch}
          description={suggest ? words.feeds.suggestOnHint : words.feeds.suggestOffHint}
          checked={suggest}
          onChange={(event) => setSuggest(event.currentTarget.checked)}
        />
        <Group gap="xs">
          <Button type="submit" loading={add.isPending}>
            {words.feeds.addThisFeed}
          </Button>
          <Button variant="subtle" onClick={onEnd}>
            {words.feeds.notNow}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
