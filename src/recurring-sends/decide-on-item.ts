import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { isNoAnswer, type Reason } from "../decision/checks/check.ts";
import { decideStory, type Verdict } from "../decision/decide-story.ts";
import type { AppError } from "../errors.ts";
import type { FeedRecord } from "../feeds/feed.ts";
import { checkHost, checkItem, topicsOf } from "../feeds/items/check-item.ts";
import type { DueItem } from "../feeds/items/item.ts";
import { checkSameStory } from "../feeds/items/same-story.ts";
import { announcedBy, firstShutGate } from "../feeds/items/send-item.ts";
import { unsentItems } from "../feeds/items/unsent-items.ts";
import { feedById } from "../feeds/queries.ts";
import { hostOfSite, httpsOf } from "../feeds/web-address.ts";
import { siteById } from "../tenants/sites/queries.ts";
import type { Site } from "../tenants/sites/site.ts";
import { unknownTopics } from "../tenants/topics/queries.ts";
import type { DueOccurrence } from "./due-queries.ts";
import { occurrenceBefore } from "./occurrences.ts";

/** The most stories that are read to find the newest of a topic. */
const storiesAtMost = 200;

/** A story that no feed has sent yet. */
export type Story = { item: DueItem; feed: FeedRecord; site: Site };

/**
 * The decision on a story. `send` has the verdict and the audience, or the campaign that its feed has already created.
 * `again`: the page did not answer. `shut`: a gate is shut.
 */
export type StoryDecision =
  | { kind: "send"; campaignId: string }
  | { kind: "send"; verdict: Verdict; topicIds: string[]; segment: string | null }
  | { kind: "skip" | "again"; reasons: Reason[] }
  | { kind: "shut"; refusal: AppError };

/**
 * Returns the newest unsent story of the source of an occurrence. Only stories count that came since a process last
 * looked for one. If none has looked yet, stories count since the previous occurrence of the rhythm. Returns undefined
 * if there is no such story, or if the topic is retired.
 */
export async function newestStory(app: App, due: DueOccurrence): Promise<Story | undefined> {
  const site = await siteById(app.db, due.siteId);
  if (site === undefined) return undefined;
  const { siteId, feedId, topicId, timeZone } = due;
  if (topicId !== null && (await unknownTopics(app.db, siteId, [topicId])).size > 0) return undefined;
  const since = due.lastAt ?? new Date(occurrenceBefore(due, timeZone, due.dueAt.getTime()).atMs);
  const found = await unsentItems(app.db, { siteId, feedId, since }, topicId === null ? 1 : storiesAtMost);
  const feeds = new Map<string, FeedRecord | undefined>();
  for (const item of found) {
    if (!feeds.has(item.feedId)) feeds.set(item.feedId, await feedById(app.db, item.feedId));
    const feed = feeds.get(item.feedId);
    if (feed === undefined) continue;
    const isOfSource = topicId === null || topicsOf({ categories: item.categories, feed })?.includes(topicId);
    if (isOfSource) return { item: { ...item, tenantId: due.tenantId }, feed, site };
  }
  return undefined;
}

/**
 * Decides on a story as its feed would, but without the override and the feed's limits. Checks its host, age and
 * topics, the gates, whether the story was already sent, and the content decision by the strict rules. Throws refusals
 * from reading the page.
 */
export async function decideOnItem(app: App, actor: Actor, story: Story, nowMs: number): Promise<StoryDecision> {
  const { item, feed, site } = story;
  const hosts = [hostOfSite(site.url), ...feed.allowedHosts];
  const checked = checkItem(factsOf(story, hosts), nowMs);
  if (checked.kind !== "go") return { kind: "skip", reasons: checked.reasons };
  const draft = item.status === "suggested" ? await readCampaign(app, actor, { campaignId: item.campaignId! }) : null;
  const ofFeed = { topicIds: checked.topicIds, segment: feed.segment, followersOf: null };
  const { topicIds, segment, followersOf } = draft ?? ofFeed;
  const refusal = await firstShutGate(app, actor, { siteId: site.id, topicIds, segment, followersOf });
  if (refusal !== undefined) return { kind: "shut", refusal };
  const known = await checkSameStory(app.db, item);
  if (known !== null) return { kind: "skip", reasons: [known] };
  const verdict = await decideStory(app, {
    url: checked.url,
    tenantId: item.tenantId,
    strict: true,
    announced: await announcedBy(app, item, hosts),
    site: { siteId: site.id, topicIds, segment: segment ?? undefined, followersOf: followersOf ?? undefined },
  });
  const against = reasonsAgainst(story, verdict, hosts);
  if (against.length > 0) return { kind: against.every(isNoAnswer) ? "again" : "skip", reasons: against };
  return draft === null ? { kind: "send", verdict, topicIds, segment } : { kind: "send", campaignId: draft.campaignId };
}

function factsOf({ item, feed, site }: Story, hosts: string[]) {
  const noLimit = { hourlyLimit: Number.POSITIVE_INFINITY, dailyLimit: Number.POSITIVE_INFINITY };
  return {
    url: item.url === null ? null : httpsOf(item.url),
    hosts,
    categories: item.categories,
    waitingFor: [],
    feed: { ...feed, ...noLimit },
    sends: { hour: 0, day: 0 },
    freshnessHours: site.freshnessHours,
    publishedMs: item.publishedAt?.getTime() ?? null,
    foundMs: item.foundAt.getTime(),
  };
}

/** Returns the reasons against a story. A missing date is a reason if the site asks its owner about undated stories. */
function reasonsAgainst({ item, site }: Story, { reasons, article }: Verdict, hosts: string[]): Reason[] {
  const redirected = checkHost({ url: article.url, hosts });
  if (redirected !== null) return [redirected];
  const asks = site.undatedStories === "ask" && !item.answered;
  const decided = reasons.map((reason) => (asks && reason.code === "no_date" ? { ...reason, ...blocking } : reason));
  return decided.filter(({ effect }) => effect === "blocks");
}

const blocking = { effect: "blocks" } as const;
