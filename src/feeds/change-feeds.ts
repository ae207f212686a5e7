import { mayActAsOwner } from "../access/members/may-act-as-owner.ts";
import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type Executor, inTenant, type Tx } from "../db/pool.ts";
import { checkUrl, readAllowHosts, urlRefusals } from "../egress/page/url-guard.ts";
import { appError, type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { confirmAboveOf } from "../sends/second-person.ts";
import { hasSegment } from "../subscribers/segments/queries.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { unknownTopics } from "../tenants/topics/queries.ts";
import { type FeedChange, type FeedRecord, type FeedView, feedChange, maxFeeds, newFeed } from "./feed.ts";
import { blocks } from "./items/check-item.ts";
import { answerItems, skipOpenItems } from "./items/queries.ts";
import { lockSiteForFeeds } from "./items/site-queries.ts";
import { feedMessages as messages } from "./messages.ts";
import { pollWithin } from "./poll/queries.ts";
import {
  countFeeds,
  deleteFeedRow,
  feedById,
  feedsOfTenant,
  insertFeed,
  lockFeed,
  recordQuestion,
  resetFeeds,
  updateFeed,
} from "./queries.ts";
import { knownFeed, viewFeeds } from "./read-feeds.ts";
import { hostOfSite, leadsTo } from "./web-address.ts";
import { assertMayForce, assertMayHurry, assertMayLead } from "./who-decides.ts";

const switchedOff = blocks("feed_off", messages.item_feed_off());
const ownerSkipped = blocks("owner_skipped", messages.item_owner_skipped());
const suggestsAndForces = fault("/suggest", faults.suggest_and_override());
const duplicateUrl = fault("/url", faults.known_feed());

/**
 * Adds a feed to a site of the actor's tenant. Its first poll is due at once, and the entries of that poll are never
 * sent. `input`: siteId, url, and the optional settings of `newFeed`. Returns the feed, with a warning if its override
 * is on. Throws `validation_failed` with all faults at once, `feed_limit`, and `forbidden` (see who-decides.ts).
 */
export async function addFeed(app: App, actor: Actor, input: unknown): Promise<FeedView> {
  const { siteId, url, ...settings } = parseInput(newFeed, input);
  const site = await siteOfTenant(app.db, actor.tenantId, siteId);
  if (site === undefined) throw invalidFields([fault("/siteId", faults.unknown_site())]);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    await assertMayForce(tx, actor, undefined, settings);
    await assertMayLead(tx, actor, undefined, settings);
    await assertMayHurry(tx, actor, undefined, settings);
    const { topics, segment, testHeadlines = false } = settings;
    const allowedHosts = settings.allowedHosts ?? (await hostsOfNewFeed(tx, actor, site, url));
    const wrong = await faultsOfFeed(app, tx, { siteId, url, topics, segment });
    if (testHeadlines) wrong.push(...(await faultsOfTest(tx, site, { url, allowedHosts })));
    if (settings.suggest && settings.override) wrong.push(suggestsAndForces);
    if (wrong.length > 0) throw invalidFields(wrong);
    await lockSiteForFeeds(tx, siteId);
    if ((await countFeeds(tx, siteId)) >= maxFeeds) throw appError("feed_limit");
    const id = newId();
    const isNew = await insertFeed(tx, { id, tenantId: actor.tenantId, siteId, url, createdBy: actorName(actor) });
    if (!isNew) throw invalidFields([duplicateUrl]);
    await updateFeed(tx, id, { ...settings, allowedHosts });
    await recordAuditEvent(tx, actor, "feed.added", { siteId, subjectId: id, details: { url } });
    return (await viewFeeds(app, tx, [(await feedById(tx, id))!]))[0]!;
  });
}

/** Returns the hosts that a new feed may lead to. An owner who adds a feed of another host trusts that host. */
async function hostsOfNewFeed(tx: Tx, actor: Actor, site: { url: string }, url: string): Promise<string[]> {
  const isForeign = !leadsTo(url, [hostOfSite(site.url)]);
  return isForeign && (await mayActAsOwner(tx, actor)) ? [hostOfSite(url)] : [];
}

/**
 * Changes the fields of a feed that `change` names (see `feedChange`). A feed that is switched on, or gets another
 * address, starts with a first poll again. The entries in the document at that poll are never sent. Switching a feed
 * off skips its open items. `newItems` answers the question about very many new items. Throws `not_found`,
 * `validation_failed`, and `forbidden` (see who-decides.ts).
 */
export async function changeFeed(
  app: App,
  actor: Actor,
  input: { feedId: string; change: unknown },
): Promise<FeedView> {
  const { newItems, ...change } = parseInput(feedChange, input.change);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    await knownFeed(tx, actor.tenantId, input.feedId);
    const before = (await lockFeed(tx, input.feedId))!;
    await assertMayForce(tx, actor, before, { ...change, newItems });
    await assertMayLead(tx, actor, before, change);
    await assertMayHurry(tx, actor, before, change);
    await refuseFaults(app, tx, before, change);
    await updateFeed(tx, before.id, change);
    if (change.pollSeconds) await pollWithin(tx, before.id, change.pollSeconds);
    const details = { url: before.url, change: input.change };
    await recordAuditEvent(tx, actor, "feed.changed", { siteId: before.siteId, subjectId: before.id, details });
    const isMoved = change.url !== undefined && change.url !== before.url;
    if (isMoved || (change.enabled === true && !before.enabled)) await resetFeeds(tx, { feedId: before.id });
    if (change.enabled === false) await skipOpenItems(tx, { feedId: before.id }, switchedOff);
    else if (newItems !== undefined) await answerQuestion(tx, before.id, newItems);
    return (await viewFeeds(app, tx, [await knownFeed(tx, actor.tenantId, before.id)]))[0]!;
  });
}

/**
 * Deletes a feed of the actor's tenant and its items. Its campaigns and runs stay. The keys of its items stay too, so
 * that the site's other feeds do not send them again. Throws `not_found`.
 */
export async function deleteFeed(app: App, actor: Actor, input: { feedId: string }): Promise<void> {
  const { id, siteId, url } = await knownFeed(app.db, actor.tenantId, input.feedId);
  await inTenant(app.db, actor.tenantId, async (tx) => {
    await deleteFeedRow(tx, actor.tenantId, id);
    await recordAuditEvent(tx, actor, "feed.removed", { siteId, subjectId: id, details: { url } });
  });
}

/** Returns the faults of a feed's topics, of its segment, and of its URL as far as the URL itself shows them. */
async function faultsOfFeed(
  app: App,
  on: Executor,
  { siteId, url, topics = [], segment }: Pick<FeedChange, "url" | "topics" | "segment"> & { siteId: string },
): Promise<FieldFault[]> {
  const verdict = url === undefined ? null : checkUrl(url, { allowHosts: readAllowHosts(app.config.ALLOW_HOSTS) });
  const unknown = await unknownTopics(
    on,
    siteId,
    topics.map(({ topicId }) => topicId),
  );
  const isSegment = !segment || (await hasSegment(on, siteId, segment));
  return [
    ...(verdict?.allowed === false ? [fault("/url", urlRefusals[verdict.reason])] : []),
    ...topics.flatMap(({ topicId }, index) =>
      unknown.has(topicId) ? [fault(`/topics/${index}/topicId`, faults.unknown_topic())] : [],
    ),
    ...(isSegment ? [] : [fault("/segment", faults.unknown_segment())]),
  ];
}

async function refuseFaults(app: App, tx: Tx, before: FeedRecord, change: Omit<FeedChange, "newItems">): Promise<void> {
  const { siteId } = before;
  const wrong = await faultsOfFeed(app, tx, { ...change, siteId });
  const others = (await feedsOfTenant(tx, before.tenantId, siteId)).filter(({ id }) => id !== before.id);
  if ((change.suggest ?? before.suggest) && (change.override ?? before.override)) wrong.push(suggestsAndForces);
  if (others.some(({ url }) => url === change.url)) wrong.push(duplicateUrl);
  const after = { ...before, ...change };
  const isAsked = [change.url, change.allowedHosts, change.testHeadlines].some((value) => value !== undefined);
  if (isAsked && after.testHeadlines) {
    wrong.push(...(await faultsOfTest(tx, (await siteOfTenant(tx, before.tenantId, siteId))!, after)));
  }
  if (wrong.length > 0) throw invalidFields(wrong);
}

/**
 * Returns the fault of a feed whose own titles are to be tested, if its host is neither the site's nor allowed by an
 * owner. Applies only to a tenant where large sends need a second person: there an editor's own server could otherwise
 * write what readers get.
 */
async function faultsOfTest(
  tx: Tx,
  site: { tenantId: string; url: string },
  { url, allowedHosts }: Pick<FeedRecord, "url" | "allowedHosts">,
): Promise<FieldFault[]> {
  if (leadsTo(url, [hostOfSite(site.url), ...allowedHosts])) return [];
  if ((await confirmAboveOf(tx, site.tenantId)) === null) return [];
  return [fault("/testHeadlines", faults.host_not_allowed())];
}

async function answerQuestion(tx: Tx, feedId: string, newItems: "send" | "skip"): Promise<void> {
  await answerItems(tx, feedId, newItems === "send" ? null : [ownerSkipped]);
  await recordQuestion(tx, { feedId }, false);
}
