import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { faults, zodText } from "../faults.ts";
import { givenOnce, parseInput } from "../input.ts";
import { localDay } from "../local-time.ts";
import { siteOfActor } from "../tenants/sites/site-of-actor.ts";
import { occurrencesBetween } from "./occurrences.ts";
import { occurrencesOfSite, recurringSendsOfSite } from "./queries.ts";
import {
  type OccurrenceView,
  type RecurringSend,
  type RecurringSendRecord,
  viewRecurringSend,
} from "./recurring-send.ts";

/** The recurring sends of a site, and their occurrences in a month (`YYYY-MM` at the site), past and to come. */
export type RecurringSends = { data: RecurringSend[]; month: string; occurrences: OccurrenceView[] };

const query = z.strictObject({
  month: givenOnce.regex(/^20\d\d-(0[1-9]|1[0-2])$/, zodText(faults.not_a_month())).optional(),
});

/**
 * Reads the recurring sends of a site of the actor's tenant, and their occurrences in `month`, by default the current
 * month. Future occurrences are listed only for recurring sends that are on. Throws `not_found` and
 * `validation_failed`.
 */
export async function readRecurringSends(
  app: App,
  actor: Actor,
  input: { siteId: string; query: unknown },
): Promise<RecurringSends> {
  const { id: siteId, timeZone } = await siteOfActor(app.db, actor, input.siteId);
  const { month = localDay(timeZone, app.now()).slice(0, 7) } = parseInput(query, input.query);
  const found = await recurringSendsOfSite(app.db, siteId);
  const days = { from: `${month}-01`, to: lastDayOf(month) };
  const past = (await occurrencesOfSite(app.db, siteId, days)).map(({ dueAt, ...rest }) => ({
    ...rest,
    at: dueAt.toISOString(),
  }));
  const toCome = found.flatMap((one) => occurrencesToCome(one, timeZone, days));
  const occurrences = [...past, ...toCome].sort((a, b) => (a.at < b.at ? -1 : 1));
  return { data: found.map(viewRecurringSend), month, occurrences };
}

function lastDayOf(month: string): string {
  const [year, no] = month.split("-").map(Number);
  return new Date(Date.UTC(year!, no!, 0)).toISOString().slice(0, 10);
}

function occurrencesToCome(
  { id: recurringSendId, enabled, nextDay, ...rhythm }: RecurringSendRecord,
  timeZone: string,
  { from, to }: { from: string; to: string },
): OccurrenceView[] {
  // A null `nextDay` is computed within a second.
  if (!enabled || nextDay === null) return [];
  const none = { outcome: null, reasons: [], url: null, title: null, campaignId: null };
  return occurrencesBetween(rhythm, timeZone, nextDay > from ? nextDay : from, to).map(({ day, atMs }) => ({
    recurringSendId,
    day,
    at: new Date(atMs).toISOString(),
    ...none,
  }));
}
