import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { appError } from "../errors.ts";
import { faults, zodText } from "../faults.ts";
import { isId } from "../ids.ts";
import { expects, flag, parseInput } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { countRegistered, deleteRegisteredPage, type RegisteredHour, registeredHours } from "./registration-queries.ts";
import { shareCount } from "./share-count.ts";

/** The most subscribers that one call deletes, in one transaction: it takes less than a second. */
const perCall = 10_000;
const shownHours = 7 * 24;
/** The fewest registrations of an outlier: an hour with fewer is none, however quiet the site is. */
const outlierAtLeast = 50;
const outlierFactor = 10;

const moment = z.iso
  .datetime({ offset: true, error: zodText(faults.not_a_time_with_offset({ example: "2030-01-31T18:00:00+02:00" })) })
  .transform((text) => new Date(text));
const windowInput = z
  .strictObject(
    { from: moment, to: moment, neverAccepted: flag.default(false), dryRun: flag.default(false) },
    expects("a JSON object"),
  )
  .refine(({ from, to }) => from < to, { path: ["to"], message: zodText(faults.not_after_beginning()) });

/**
 * `subscribers`: how many this call deleted, or a dry run found. `hasMore`: the same call again deletes more of them.
 */
export type DeletedRegistered = { subscribers: number; hasMore: boolean };

/**
 * Deletes subscribers of a site of the actor's tenant that browsers registered from `from` (included) to `to`
 * (excluded). Made for registrations by strangers. With `neverAccepted`, deletes only subscribers whose push service
 * never accepted a message. Never deletes test devices, imported subscribers, or subscribers from before the service
 * recorded who registered them. One call deletes at most 10,000 and records one audit event. `dryRun`: only counts
 * them. Throws `not_found` and `validation_failed`.
 */
export async function deleteRegistered(
  app: App,
  actor: Actor,
  input: { siteId: string; body: unknown },
): Promise<DeletedRegistered> {
  const { dryRun, ...window } = parseInput(windowInput, input.body);
  const siteId = await findSiteId(app, actor, input.siteId);
  if (dryRun) {
    const count = () => countRegistered(app.db, siteId, window);
    return { subscribers: await shareCount(app, siteId, ["registered", window], count), hasMore: false };
  }
  return app.db.transaction().execute(async (tx) => {
    const subscribers = await deleteRegisteredPage(tx, siteId, window, perCall);
    const { from, to, neverAccepted } = window;
    const details = { subscribers, from: from.toISOString(), to: to.toISOString(), neverAccepted };
    if (subscribers > 0) await recordAuditEvent(tx, actor, "subscribers.deleted", { siteId, details });
    return { subscribers, hasMore: subscribers === perCall };
  });
}

/** An hour (UTC) in which browsers registered. `isOutlier`: far more than in the other hours. */
export type HourOfRegistrations = { at: string; registered: number; neverAccepted: number; isOutlier: boolean };

/**
 * Returns the hours of the last seven days with registrations that still exist, the oldest first. Throws `not_found`.
 */
export async function readRegistrations(
  app: App,
  actor: Actor,
  input: { siteId: string },
): Promise<{ hours: HourOfRegistrations[] }> {
  const siteId = await findSiteId(app, actor, input.siteId);
  const hours = await shareCount(app, siteId, ["hours"], () => registeredHours(app.db, siteId, shownHours));
  return { hours: markOutliers(hours) };
}

/** Marks the hours with at least 50 registrations and at least ten times the median of all hours of the week. */
export function markOutliers(hours: RegisteredHour[]): HourOfRegistrations[] {
  const counts = hours.map(({ registered }) => registered).toSorted((a, b) => b - a);
  const median = counts[shownHours / 2] ?? 0;
  const atLeast = Math.max(outlierAtLeast, outlierFactor * median);
  return hours.map((hour) => ({ ...hour, at: hour.at.toISOString(), isOutlier: hour.registered >= atLeast }));
}

export async function findSiteId(app: App, { tenantId }: Actor, siteId: string): Promise<string> {
  const site = isId(siteId) ? await siteOfTenant(app.db, tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
  return site.id;
}
