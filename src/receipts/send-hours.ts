import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { isComparable } from "../runs/audience.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { isAtLocalTime } from "../runs/timing.ts";
import { compareMeans, momentsOf } from "./moments.ts";

/** A live send: the hour of its start by the site's clock, its accepted messages, and its clicks. */
export type HourOfSend = { hour: number; accepted: number; clicked: number };

/**
 * The hours at which a site's notifications were clicked most, best first. `hours` is empty if there are too few
 * notifications. `clicked`: the share of readers who clicked. For hours with few notifications it is drawn towards
 * the site's mean. `isClear`: the best hour differs from all other hours by more than chance.
 */
export type SendHours = {
  nudges: number;
  needed: number;
  hours: { hour: number; nudges: number; clicked: number }[];
  isClear: boolean;
};

const daysRead = 84;
const nudgesNeeded = 20;
/** An hour is ranked if the site sent at least this many notifications in it. */
const nudgesAnHour = 3;
const shown = 3;
/** The site's mean weighs as much as this many notifications of an hour. */
const meanWeighs = 5;
/** The limits for a clear difference are strict, because the best of up to 24 hours may be the best by chance. */
const clearNudges = 8;
const clearErrors = 4.5;

/**
 * Returns the live sends of the last twelve weeks whose clicks are in and were counted for each reader. Leaves out
 * local-time delivery, because it has no single hour by the site's clock. Leaves out segments, because their readers
 * differ from the others.
 */
export function sendsByHour(on: Executor, siteId: string, timeZone: string): Promise<HourOfSend[]> {
  return rows(
    sql<HourOfSend>`select extract(hour from r.created_at at time zone ${timeZone})::int as hour,
        sums.accepted::float8 as accepted, h.clicked::float8 as clicked
      from runs r
        join run_sums sums on sums.site_id = r.site_id and sums.run_id = r.id
        join notification_sums h on h.site_id = r.site_id and h.run_id = r.id
      where r.site_id = ${siteId} and ${sendsCampaign("r")} and r.receipts is null and sums.accepted > 0
        and not ${isAtLocalTime("r")} and ${isComparable("r")}
        and r.created_at between now() - make_interval(days => ${daysRead}) and now() - interval '1 day'`,
    on,
  );
}

/**
 * Compares the hours at which a site sends. A notification is the unit, because readers of one notification share its
 * hour.
 */
export function sendHoursOf(sends: HourOfSend[]): SendHours {
  const nudges = sends.length;
  const byHour = [...Map.groupBy(sends, ({ hour }) => hour)].filter(([, of]) => of.length >= nudgesAnHour);
  const none = { nudges, needed: nudgesNeeded, hours: [], isClear: false };
  if (nudges < nudgesNeeded || byHour.length < 2) return none;
  const rateOf = ({ accepted, clicked }: HourOfSend) => clicked / accepted;
  const { mean } = momentsOf(sends.map(rateOf));
  const drawn = (of: HourOfSend[]) =>
    (of.reduce((sum, send) => sum + rateOf(send), 0) + meanWeighs * mean) / (of.length + meanWeighs);
  const hours = byHour
    .map(([hour, of]) => ({ hour, nudges: of.length, clicked: drawn(of) }))
    .toSorted((a, b) => b.clicked - a.clicked);
  const best = hours[0]!.hour;
  const [inBest, others] = [true, false].map((isBest) => sends.filter(({ hour }) => (hour === best) === isBest));
  return { ...none, hours: hours.slice(0, shown), isClear: isClear(inBest!.map(rateOf), others!.map(rateOf)) };
}

function isClear(best: number[], others: number[]): boolean {
  if (Math.min(best.length, others.length) < clearNudges) return false;
  const { difference, error } = compareMeans(momentsOf(others), momentsOf(best));
  return difference > clearErrors * error;
}
