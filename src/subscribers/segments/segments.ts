import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { type Executor, inTenant, type Tx } from "../../db/pool.ts";
import { appError, type FieldFault, invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { isId, newId } from "../../ids.ts";
import { expects, lineOfText, parseInput } from "../../input.ts";
import type { DeclaredFact } from "../../tenants/sites/declared-facts.ts";
import type { Site } from "../../tenants/sites/site.ts";
import { siteOfActor } from "../../tenants/sites/site-of-actor.ts";
import { everybody } from "../audience.ts";
import { countSubscribers } from "../queries.ts";
import { shareCount } from "../share-count.ts";
import {
  countSegmentsOfDay,
  freezeFacts,
  insertSegment,
  isRuleForOwners,
  isSegmentAwaited,
  isSegmentOfFeed,
  lockSegment,
  lockSegments,
  type SegmentRecord,
  segmentsOfSite,
  topicsNotOfSite,
  updateSegment,
} from "./queries.ts";
import { asksForClicks, freezeRule, type SegmentRule, segmentRule, topicsOfRule, unfitFor } from "./segment.ts";

/** The most segments of a site, without retired ones. */
export const maxSegments = 50;
/**
 * The most segments of a site with those that were retired within a day. Without this limit, adding and retiring in
 * turn has none.
 */
export const maxSegmentsOfDay = 500;
/** Counting stops here, because a larger number changes nobody's choice. */
const countAtMost = 1_000_000;

const segmentName = lineOfText(80);
const newSegment = (app: App) =>
  z.strictObject({ name: segmentName, rule: segmentRule(app.config.PUSH_SERVICES) }, expects("a JSON object"));
const segmentChange = (app: App) =>
  z.strictObject(
    {
      name: segmentName.optional(),
      rule: segmentRule(app.config.PUSH_SERVICES).optional(),
      retired: z.literal(true, "can only be true: add the segment again").optional(),
    },
    expects("a JSON object"),
  );
const segmentDraft = (app: App) =>
  z.strictObject({ rule: segmentRule(app.config.PUSH_SERVICES) }, expects("a JSON object"));

/** A segment as callers see it. `isRetired`: only campaigns that already have it use it. */
export type Segment = { segmentId: string; name: string; rule: SegmentRule; isRetired: boolean };

/**
 * The segments of a site. `countsClicks`: the site knows who clicks, since `clicksKnownFrom` (YYYY-MM-DD). `facts`:
 * the facts that the site declares.
 */
export type Segments = { data: Segment[]; countsClicks: boolean; clicksKnownFrom: string; facts: DeclaredFact[] };

/** The number of readers of a segment. `exact` false: there are more than `readers`. */
export type SegmentSize = { readers: number; exact: boolean };

/** Lists the segments of a site by name, the retired ones last. Throws `not_found`. */
export async function listSegments(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Segments> {
  await siteOfActor(app.db, actor, siteId);
  const { countsClicks, clicksKnownFrom, facts } = await freezeFacts(app.db, siteId);
  const found = await segmentsOfSite(app.db, siteId);
  return {
    data: found.map(({ id: segmentId, ...rest }) => ({ segmentId, ...rest })),
    countsClicks,
    clicksKnownFrom,
    facts,
  };
}

/**
 * Counts the readers of a rule (`{ rule }`) who can be reached now, up to a million. Throws `not_found` and
 * `validation_failed`.
 */
export async function countSegment(
  app: App,
  actor: Actor,
  { siteId, body }: { siteId: string; body: unknown },
): Promise<SegmentSize> {
  const site = await siteOfActor(app.db, actor, siteId);
  const { rule } = parseInput(segmentDraft(app), body);
  await assertFitsSite(app.db, site, rule);
  const segment = freezeRule(rule, await freezeFacts(app.db, siteId));
  const counted = await shareCount(app, siteId, ["segment", segment], () =>
    countSubscribers(app.db, siteId, { ...everybody, segment }, countAtMost + 1),
  );
  return { readers: Math.min(counted, countAtMost), exact: counted <= countAtMost };
}

/**
 * Adds a segment (`{ name, rule }`) to a site of the actor's tenant. Throws `not_found`, `validation_failed` with all
 * faults, and `segment_limit`.
 */
export async function addSegment(
  app: App,
  actor: Actor,
  { siteId, body }: { siteId: string; body: unknown },
): Promise<{ segmentId: string }> {
  const site = await siteOfActor(app.db, actor, siteId);
  const { name, rule } = parseInput(newSegment(app), body);
  return withSegments(app, actor, siteId, async (tx, others) => {
    await assertFitsSite(tx, site, rule, faultsOfName(name, others));
    if (others.length >= maxSegments) throw appError("segment_limit");
    if ((await countSegmentsOfDay(tx, siteId)) >= maxSegmentsOfDay) {
      throw appError("segment_limit", { message: "Too many segments were retired within a day. Add this one later." });
    }
    const segmentId = newId();
    await insertSegment(tx, siteId, { id: segmentId, name, rule });
    await recordAuditEvent(tx, actor, "segment.added", { siteId, subjectId: segmentId, details: { name } });
    return { segmentId };
  });
}

/**
 * Changes a segment: sets its `name` or its `rule`, or takes it out of use (`retired: true`). Drafts go to the new
 * rule, but what was sent does not change. Campaigns that have a retired segment keep it. Throws `not_found`,
 * `validation_failed` with all faults, what `assertMayChangeRule` throws for a new rule, and `segment_of_feed` for
 * retiring a segment of a feed, because the feed makes new campaigns.
 */
export async function changeSegment(
  app: App,
  actor: Actor,
  { siteId, segmentId, body }: { siteId: string; segmentId: string; body: unknown },
): Promise<void> {
  const site = await siteOfActor(app.db, actor, siteId);
  if (!isId(segmentId)) throw segmentGone();
  const change = parseInput(segmentChange(app), body);
  await withSegments(app, actor, siteId, async (tx, all) => {
    const before = await lockSegment(tx, siteId, segmentId.toLowerCase());
    if (before === undefined) throw segmentGone();
    const others = all.filter(({ id }) => id !== before.id);
    const { name = before.name, rule = before.rule, retired: isRetired = false } = change;
    await assertFitsSite(tx, site, change.rule, faultsOfName(name, others));
    if (!isDeepStrictEqual(rule, before.rule)) await assertMayChangeRule(tx, actor, siteId, before.id);
    if (isRetired && (await isSegmentOfFeed(tx, siteId, before.id))) throw appError("segment_of_feed");
    await updateSegment(tx, siteId, { id: before.id, name, rule, isRetired });
    const event = isRetired ? "segment.retired" : "segment.changed";
    await recordAuditEvent(tx, actor, event, { siteId, subjectId: before.id, details: { name } });
  });
}

/**
 * Refuses a new rule for a segment that a schedule, a second person's approval or a confirmed send waits with, because
 * these are for the rule as it was. Also refuses an editor if a feed with the override sends to the segment at a
 * tenant where large sends need a second person (as `assertMayForce` in feeds/who-decides.ts), because no one approves
 * what such a feed sends. Throws `forbidden` and `segment_awaited`.
 */
async function assertMayChangeRule(tx: Tx, actor: Actor, siteId: string, segmentId: string): Promise<void> {
  if (actor.kind === "user" && (await isRuleForOwners(tx, actor, siteId, segmentId))) {
    const message =
      "Large sends need a second person here, and a feed with the override sends to this segment without asking. Ask an " +
      "owner to change its rule, or add another segment.";
    throw appError("forbidden", { message });
  }
  if (await isSegmentAwaited(tx, siteId, segmentId)) throw appError("segment_awaited");
}

const segmentGone = () => appError("not_found", { message: "This segment is gone." });

/** Runs `work` with the segments that are not retired. Simultaneous changes run one after another. */
async function withSegments<T>(
  app: App,
  { tenantId }: Actor,
  siteId: string,
  work: (tx: Tx, segments: SegmentRecord[]) => Promise<T>,
): Promise<T> {
  return inTenant(app.db, tenantId, async (tx) => {
    if (!(await lockSegments(tx, tenantId, siteId))) throw appError("not_found");
    return work(
      tx,
      (await segmentsOfSite(tx, siteId)).filter(({ isRetired }) => !isRetired),
    );
  });
}

function faultsOfName(name: string, others: SegmentRecord[]): FieldFault[] {
  if (!others.some((other) => other.name === name)) return [];
  return [fault("/name", faults.segment_name_taken({ segment: name }))];
}

/** Throws `validation_failed` with `faults` and the faults of a rule at this site. */
async function assertFitsSite(
  on: Executor,
  site: Site,
  rule: SegmentRule | undefined,
  wrong: FieldFault[] = [],
): Promise<void> {
  const ofRule = rule === undefined ? [] : await faultsOfRule(on, site, rule);
  const all = [...wrong, ...ofRule.map((one) => ({ ...one, path: `/rule${one.path}` }))];
  if (all.length > 0) throw invalidFields(all);
}

/** Returns a fault for each part of a rule that the site lacks, with its place in the rule as a path. */
async function faultsOfRule(on: Executor, site: Site, rule: SegmentRule): Promise<FieldFault[]> {
  const named = topicsOfRule(rule);
  const ids = named.map(({ topicId }) => topicId);
  const unknown = await topicsNotOfSite(on, site.id, ids);
  return [
    ...named.filter(({ topicId }) => unknown.has(topicId)).map(({ path }) => fault(path, faults.unknown_topic())),
    ...unfitFor(rule, site),
    ...(site.receipts !== "full" && asksForClicks(rule) ? [clicksNotKnown] : []),
  ];
}

const clicksNotKnown = fault("", faults.clicks_not_known());
