import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { parseInput } from "../../input.ts";
import { everybody } from "../../subscribers/audience.ts";
import { countSubscribers } from "../../subscribers/queries.ts";
import { shareCount } from "../../subscribers/share-count.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import type { Site } from "../../tenants/sites/site.ts";
import { daysOf, isPeriod, periodFault, periodFields } from "./period.ts";
import { countLimit, type Day, growthOfSite } from "./queries.ts";

const summaryInput = z.strictObject(periodFields).refine(isPeriod, periodFault);

/** The query of a summary as a caller writes it. */
export type PeriodQuery = z.input<typeof summaryInput>;

/** The readers of a site: how many can be reached now, and how many joined and left on each day of its calendar. */
export type SubscribersSummary = {
  siteId: string;
  timeZone: string;
  reachable: number;
  /** False if there are more than `reachable`. */
  reachableExact: boolean;
  days: Day[];
};

/**
 * Reads how many readers a site can reach now, and its days from `from` to `to`. Throws `not_found` and
 * `validation_failed`.
 */
export async function readSubscribersSummary(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown },
): Promise<SubscribersSummary> {
  const { id: siteId, timeZone } = await findReportedSite(app, actor, input.siteId);
  const period = parseInput(summaryInput, input.query);
  const counted = await shareCount(app, siteId, ["everybody"], () =>
    countSubscribers(app.db, siteId, everybody, countLimit + 1),
  );
  const days = await growthOfSite(app.db, { siteId, timeZone }, daysOf(period), period.to);
  const reachable = Math.min(counted, countLimit);
  return { siteId, timeZone, reachable, reachableExact: counted <= countLimit, days };
}

/** Returns a site of the actor's tenant. Throws `not_found`. */
export async function findReportedSite(app: App, actor: Actor, siteId: string): Promise<Site> {
  const site = isId(siteId) ? await siteOfTenant(app.db, actor.tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found");
  return site;
}
