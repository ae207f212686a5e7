import type { z } from "zod";
import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type Executor, inTenant, type Tx } from "../db/pool.ts";
import { appError, type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { lockSiteForFeeds } from "../feeds/items/site-queries.ts";
import { feedsOfTenant } from "../feeds/queries.ts";
import { isId, newId } from "../ids.ts";
import { faultsOf, uuid, withoutNulls } from "../input.ts";
import { databaseNowMs } from "../sends/planned-send-queries.ts";
import { changesBetween } from "../tenants/changes.ts";
import { lockTimeZone } from "../tenants/sites/queries.ts";
import { siteOfActor } from "../tenants/sites/site-of-actor.ts";
import { unknownTopics } from "../tenants/topics/queries.ts";
import { nextOccurrence } from "./occurrences.ts";
import {
  countRecurringSends,
  deleteRecurringSend,
  insertRecurringSend,
  lockRecurringSend,
  recurringSendOfSite,
  updateNext,
  updateRecurringSend,
} from "./queries.ts";
import {
  maxRecurringSends,
  newRecurringSend,
  type RecurringSend,
  type RecurringSendRecord,
  recurringSendChange,
  viewRecurringSend,
} from "./recurring-send.ts";

type OfSite = { siteId: string };
type OfOne = OfSite & { recurringSendId: string };

/**
 * Adds a recurring send to a site of the actor's tenant: `{ days, time, feedId or topicId, enabled }`. Its first
 * occurrence is the next one after now. Returns the recurring send. Throws `not_found`, `validation_failed` with all
 * faults at once, and `recurring_send_limit`.
 */
export async function addRecurringSend(
  app: App,
  actor: Actor,
  { siteId, body }: OfSite & { body: unknown },
): Promise<RecurringSend> {
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const { id: ofSite } = await siteOfActor(tx, actor, siteId);
    const wanted = await readInput(tx, actor, ofSite, newRecurringSend, body, true);
    // The lock keeps two simultaneous calls from both taking the last place.
    await lockSiteForFeeds(tx, ofSite);
    if ((await countRecurringSends(tx, ofSite)) >= maxRecurringSends) throw appError("recurring_send_limit");
    const of = { id: newId(), tenantId: actor.tenantId, siteId: ofSite, createdBy: actorName(actor) };
    const settings = { ...wanted, feedId: wanted.feedId ?? null, topicId: wanted.topicId ?? null };
    await insertRecurringSend(tx, of, settings);
    await plan(tx, { ...settings, id: of.id, siteId: ofSite }, null);
    await recordAuditEvent(tx, actor, "recurring_send.added", {
      siteId: ofSite,
      subjectId: of.id,
      details: wanted,
    });
    return viewRecurringSend((await recurringSendOfSite(tx, ofSite, of.id))!);
  });
}

/**
 * Changes a recurring send of a site of the actor's tenant. Absent fields stay. Computes the next occurrence again if
 * days or time change, or if it is switched on. A day that already had an occurrence gets no second one. Returns the
 * recurring send. Throws `not_found`, and `validation_failed` with all faults at once.
 */
export async function changeRecurringSend(
  app: App,
  actor: Actor,
  { siteId, recurringSendId, body }: OfOne & { body: unknown },
): Promise<RecurringSend> {
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const { before, lastDay } = await lockKnown(tx, actor, { siteId, recurringSendId });
    const { feedId, topicId, ...rest } = await readInput(tx, actor, before.siteId, recurringSendChange, body, false);
    const source = feedId || topicId ? { feedId: feedId ?? null, topicId: topicId ?? null } : {};
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const after: RecurringSendRecord = { ...before, ...given, ...source };
    const changes = changesBetween(before, after, ["days", "time", "feedId", "topicId", "enabled"]);
    if (changes === undefined) return viewRecurringSend(before);
    await updateRecurringSend(tx, before.id, after);
    const isPlanned = after.enabled && ("days" in changes || "time" in changes || "enabled" in changes);
    if (isPlanned) await plan(tx, after, lastDay);
    const facts = { siteId: before.siteId, subjectId: before.id, details: { changes } };
    await recordAuditEvent(tx, actor, "recurring_send.changed", facts);
    return viewRecurringSend((await recurringSendOfSite(tx, before.siteId, before.id))!);
  });
}

/**
 * Removes a recurring send of a site of the actor's tenant, with the record of its occurrences. The campaigns that it
 * has sent stay. Throws `not_found`.
 */
export async function removeRecurringSend(app: App, actor: Actor, of: OfOne): Promise<void> {
  await inTenant(app.db, actor.tenantId, async (tx) => {
    const { before } = await lockKnown(tx, actor, of);
    const { id: subjectId, siteId, sourceName, days, time } = before;
    await deleteRecurringSend(tx, siteId, subjectId);
    const facts = { siteId, subjectId, details: { sourceName, days, time } };
    await recordAuditEvent(tx, actor, "recurring_send.removed", facts);
  });
}

async function lockKnown(
  tx: Tx,
  actor: Actor,
  { siteId, recurringSendId }: OfOne,
): Promise<{ before: RecurringSendRecord; lastDay: string | null }> {
  const site = await siteOfActor(tx, actor, siteId);
  const locked = isId(recurringSendId) ? await lockRecurringSend(tx, site.id, recurringSendId) : undefined;
  if (locked === undefined) throw appError("not_found", { message: "This recurring send is gone." });
  return { before: (await recurringSendOfSite(tx, site.id, recurringSendId))!, lastDay: locked.lastDay };
}

/** Computes and stores the next occurrence after now, on a day after `lastDay`. */
async function plan(
  tx: Tx,
  { id, siteId, days, time }: Pick<RecurringSendRecord, "id" | "siteId" | "days" | "time">,
  lastDay: string | null,
): Promise<void> {
  const zone = await lockTimeZone(tx, siteId);
  const next = nextOccurrence({ days, time }, zone, { afterMs: await databaseNowMs(tx), afterDay: lastDay });
  await updateNext(tx, id, next, zone);
}

/**
 * Parses a body. `isNew`: it must name its source. Its ids are looked up even if it has other faults, so that the
 * answer has all faults. Throws `validation_failed`.
 */
async function readInput<Schema extends z.ZodType>(
  tx: Tx,
  { tenantId }: Actor,
  siteId: string,
  schema: Schema,
  body: unknown,
  isNew: boolean,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(withoutNulls(body));
  const { feedId, topicId } = Object(body) as Record<string, unknown>;
  const wrong = [
    ...(parsed.success ? [] : faultsOf(parsed.error)),
    ...faultsOfChoice({ feedId, topicId }, isNew),
    ...(await faultsOfSource(tx, { tenantId, siteId }, { feedId, topicId })),
  ];
  if (wrong.length > 0) throw invalidFields(wrong);
  return parsed.data!;
}

function faultsOfChoice({ feedId, topicId }: Record<string, unknown>, isNew: boolean): FieldFault[] {
  const given = [feedId, topicId].filter((id) => id != null).length;
  if (given === 2) return [fault("/topicId", faults.feed_and_topic())];
  return isNew && given === 0 ? [fault("/feedId", faults.required())] : [];
}

async function faultsOfSource(
  on: Executor,
  { tenantId, siteId }: { tenantId: string; siteId: string },
  { feedId, topicId }: Record<string, unknown>,
): Promise<FieldFault[]> {
  const [feed, topic] = [uuid.safeParse(feedId).data, uuid.safeParse(topicId).data];
  const isFeed = feed === undefined || (await feedsOfTenant(on, tenantId, siteId)).some(({ id }) => id === feed);
  const isTopic = topic === undefined || (await unknownTopics(on, siteId, [topic])).size === 0;
  return [
    ...(isFeed ? [] : [fault("/feedId", faults.unknown_feed())]),
    ...(isTopic ? [] : [fault("/topicId", faults.unknown_topic())]),
  ];
}
