import type { App } from "../app.ts";
import { addFeed, changeFeed, deleteFeed } from "../feeds/change-feeds.ts";
import type { FeedView } from "../feeds/feed.ts";
import type { ItemView } from "../feeds/items/item.ts";
import { discoverFeeds } from "../feeds/poll/discover-feeds.ts";
import { tryFeed } from "../feeds/poll/try-feed.ts";
import { listFeeds, readFeed } from "../feeds/read-feeds.ts";
import { httpsOf } from "../feeds/web-address.ts";
import { siteById } from "../tenants/sites/queries.ts";
import { type Command, print, printText, readSwitch, UsageError, type Values, withOptionNames } from "./command.ts";
import { operatorOfFeed, operatorOfSite } from "./operator.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const settings = {
  override: text,
  suggest: text,
  "test-headlines": text,
  topics: text,
  segment: text,
  unmatched: text,
  "hourly-limit": text,
  "daily-limit": text,
  "allowed-hosts": text,
  "poll-seconds": text,
  "at-limit": text,
};
const settingsUsage =
  "[--override on|off] [--suggest on|off] [--test-headlines on|off] [--topics CATEGORY=TOPIC_ID,…|off]\n" +
  "      [--unmatched skip|everyone] [--hourly-limit N] [--daily-limit N] [--allowed-hosts HOST,…|off] [--poll-seconds N]\n" +
  "      [--at-limit skip|wait] [--segment ID|off]";
const fields = {
  url: "url",
  enabled: "enabled",
  override: "override",
  suggest: "suggest",
  testHeadlines: "test-headlines",
  topics: "topics",
  segment: "segment",
  unmatched: "unmatched",
  hourlyLimit: "hourly-limit",
  dailyLimit: "daily-limit",
  allowedHosts: "allowed-hosts",
  newItems: "new-items",
  siteId: "site",
  pollSeconds: "poll-seconds",
  atLimit: "at-limit",
};

/** Reads `--topics`, such as `Sport=ID,City council=ID`. Returns an empty list for "off". Throws UsageError. */
function topicsOf(value: string | boolean | undefined): { category: string; topicId: string }[] | undefined {
  if (value === undefined) return undefined;
  if (value === "off") return [];
  return String(value)
    .split(",")
    .map((rule) => {
      const at = rule.lastIndexOf("=");
      if (at < 1) throw new UsageError("--topics is CATEGORY=TOPIC_ID,… or off");
      return { category: rule.slice(0, at), topicId: rule.slice(at + 1).trim() };
    });
}

/** Reads a comma-separated list. Returns an empty list for "off". */
function listOf(value: string | boolean | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  return value === "off" ? [] : String(value).split(",");
}

/** Reads a number. Any other text becomes NaN, which the operation refuses with the name of the field. */
function numberOf(value: string | boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function settingsOf(values: Values) {
  return {
    override: readSwitch(values, "override"),
    suggest: readSwitch(values, "suggest"),
    testHeadlines: readSwitch(values, "test-headlines"),
    topics: topicsOf(values.topics),
    segment: values.segment === "off" ? "" : (values.segment as string | undefined),
    unmatched: values.unmatched as "skip" | "everyone" | undefined,
    atLimit: values["at-limit"] as "skip" | "wait" | undefined,
    hourlyLimit: numberOf(values["hourly-limit"]),
    dailyLimit: numberOf(values["daily-limit"]),
    allowedHosts: listOf(values["allowed-hosts"]),
    pollSeconds: numberOf(values["poll-seconds"]),
  };
}

/** Prints a feed, one fact per line or as JSON. Its warnings go to standard error. */
function printFeed(values: Values, feed: FeedView): void {
  for (const { message } of feed.warnings) process.stderr.write(`${message}\n`);
  print(values, values.json === true ? feed : factsOf(feed));
}

function factsOf(feed: FeedView): Record<string, unknown> {
  const { lastPoll } = feed;
  const topics = feed.topics.map(({ category, topicId }) => `${category}=${topicId}`).join(",") || "everyone";
  const polled =
    lastPoll === null
      ? "not yet"
      : `${lastPoll.at} ${lastPoll.outcome}${lastPoll.message === null ? "" : `: ${lastPoll.message}`}`;
  const next =
    feed.nextPollAt === null ? "off" : `${feed.nextPollAt}${lastPoll ? ` (${lastPoll.because.message})` : ""}`;
  return {
    feedId: feed.feedId,
    siteId: feed.siteId,
    url: feed.url,
    title: feed.title,
    enabled: feed.enabled,
    override: feed.override,
    suggest: feed.suggest,
    topics,
    unmatched: feed.unmatched,
    hourlyLimit: feed.hourlyLimit,
    dailyLimit: feed.dailyLimit,
    allowedHosts: feed.allowedHosts.join(",") || "none",
    pollSeconds: feed.pollSeconds,
    atLimit: feed.atLimit,
    testHeadlines: feed.testHeadlines,
    segment: feed.segment ?? "none",
    lastPoll: polled,
    nextPoll: next,
    push: feed.push === null ? "no hub" : `${feed.push.state} ${feed.push.hub}`,
    items: Object.entries(feed.items)
      .map(([status, n]) => `${status} ${n}`)
      .join(", "),
    ...(feed.question === null ? {} : { question: feed.question.message }),
  };
}

function printItem(values: Values, item: ItemView): void {
  if (values.json === true) {
    print(values, item);
    return;
  }
  const why = item.reasons.map(({ code, message }) => `\n      ${code}: ${message}`).join("");
  printText(`  ${item.foundAt} ${item.status.padEnd(7)} ${item.title ?? item.url ?? item.guid}${why}`);
}

export const feedsAdd: Command = {
  words: ["feeds", "add"],
  summary: "Add a feed to a site",
  usage: `feeds add --site ID --url URL ${settingsUsage} [--json]`,
  options: { site: text, url: text, ...settings, json: flag },
  required: ["site", "url"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const input = { siteId, url: String(values.url), ...settingsOf(values) };
    printFeed(values, await withOptionNames(fields, () => addFeed(app, actor, input)));
  },
};

export const feedsSet: Command = {
  words: ["feeds", "set"],
  summary: "Change a feed",
  usage: `feeds set --feed ID [--url URL] [--enabled on|off] [--new-items send|skip]\n      ${settingsUsage} [--json]`,
  options: { feed: text, url: text, enabled: text, "new-items": text, ...settings, json: flag },
  required: ["feed"],
  async run(app, values) {
    const change = {
      url: values.url as string | undefined,
      enabled: readSwitch(values, "enabled"),
      newItems: values["new-items"],
      ...settingsOf(values),
    };
    if (Object.values(change).every((value) => value === undefined)) throw new UsageError("say what to set");
    const { actor, feedId } = await operatorOfFeed(app, values.feed);
    printFeed(values, await withOptionNames(fields, () => changeFeed(app, actor, { feedId, change })));
  },
};

export const feedsList: Command = {
  words: ["feeds", "list"],
  summary: "List the feeds of a site",
  usage: "feeds list --site ID [--json]",
  options: { site: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const feeds = await listFeeds(app, actor, { siteId });
    if (feeds.length === 0) process.stderr.write("This site has no feeds.\n");
    for (const [at, feed] of feeds.entries()) {
      if (at > 0 && values.json !== true) process.stdout.write("\n");
      printFeed(values, feed);
    }
  },
};

export const feedsShow: Command = {
  words: ["feeds", "show"],
  summary: "Show a feed and its newest items",
  usage: "feeds show ID [--status S] [--json]\n      a feed, and its newest items with their outcomes",
  options: { status: text, json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const { actor, feedId } = await operatorOfFeed(app, typed);
    const page = values.status === undefined ? {} : { status: values.status };
    const shown = await withOptionNames({ status: "status" }, () => readFeed(app, actor, { feedId, page }));
    printFeed(values, shown.feed);
    for (const item of shown.items) printItem(values, item);
  },
};

export const feedsRemove: Command = {
  words: ["feeds", "remove"],
  summary: "Remove a feed",
  usage: "feeds remove ID",
  options: { json: flag },
  operands: ["ID"],
  async run(app, values, [typed]) {
    const { actor, feedId } = await operatorOfFeed(app, typed);
    await deleteFeed(app, actor, { feedId });
    print(values, { feedId, removed: true });
  },
};

export const feedsTry: Command = {
  words: ["feeds", "try"],
  summary: "Show what a poll would read, and store nothing",
  usage: "feeds try --site ID --url URL [--json]\n      what a poll would read there; stores nothing",
  options: { site: text, url: text, json: flag },
  required: ["site", "url"],
  run: (app, values) => printTried(app, values),
};

async function printTried(app: App, values: Values): Promise<void> {
  const { actor } = await operatorOfSite(app, values.site);
  const tried = await tryFeed(app, actor, { url: String(values.url) });
  if (values.json === true || !tried.isFeed) {
    print(values, tried);
    if (!tried.isFeed) process.exitCode = 1;
    return;
  }
  const { entries, categories, ...facts } = tried;
  print(values, { ...facts, categories: categories.join(", ") });
  for (const { publishedAt, title, url } of entries) printText(`  ${publishedAt ?? "no date"} ${title} ${url}`);
}

export const feedsDiscover: Command = {
  words: ["feeds", "discover"],
  summary: "Find the feeds of a site",
  usage:
    "feeds discover --site ID [--url URL] [--json]\n      the feeds that the site's home page, or another page, names",
  options: { site: text, url: text, json: flag },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const url = values.url === undefined ? httpsOf((await siteById(app.db, siteId))!.url) : String(values.url);
    const found = await discoverFeeds(app, actor, { url });
    for (const feed of found) {
      if (values.json === true) print(values, feed);
      else printText(`${feed.url}${feed.title === null ? "" : `  ${feed.title}`}`);
    }
    if (found.length === 0) process.stderr.write(`There is no feed at ${url}, nor at the usual addresses.\n`);
  },
};
