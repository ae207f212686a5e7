import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { finalCode } from "../runs/ledger/codes.ts";
import { earliestStart } from "../runs/queries.ts";
import { compareMeans, momentsOf } from "./moments.ts";

/** A day on which a site sent or readers left. `day`: YYYY-MM-DD in the site's time zone. */
export type FrequencyDay = {
  day: string;
  /** How many days ago this was. 0 is today. */
  age: number;
  nudges: number;
  /** Messages that push services accepted. */
  accepted: number;
  /** The most messages accepted in one run of the week that ends with this day: about how many readers the site had. */
  readers: number;
  displayed: number;
  clicked: number;
  /** The part of `clicked` from browsers that report displays. */
  clickedReporting: number;
  /** Readers who left on this day for any reason. */
  left: number;
  /** The part of `left` that expired. A setting of the owners causes this, not a notification. */
  expired: number;
  /** False if a run asked browsers not to report everything. The ratios of such a day would be too low. */
  isWhole: boolean;
};

/** The clicks and lost readers of seven days. `from` and `to`: the first and the last day (YYYY-MM-DD). */
export type FrequencyWeek = { from: string; to: string; nudges: number; clicked: number; left: number };

/**
 * The days on which each reader got about `nudges` notifications, or `nudges` and more in the last entry. `clicked`
 * and `left` are per 1,000 readers and day. `left` excludes readers who expired.
 */
export type Fatigue = { nudges: number; days: number; clickedOfShown: number; clicked: number; left: number };

/**
 * The advice from comparing days with up to `nudges` notifications for each reader with days that have more.
 * `clicked` and `left`: per 1,000 readers and day on both groups of days. `left` excludes readers who expired.
 * `days`: how many days each group needs, if there are too few.
 */
export type FrequencyAdvice =
  | { says: "too_few_days"; days: number }
  | {
      says: "send_fewer" | "send_more" | "trade_off" | "no_difference";
      nudges: number;
      clicked: { fewer: number; more: number };
      left: { fewer: number; more: number };
    };

export type SendFrequency = { weeks: FrequencyWeek[]; fatigue: Fatigue[]; advice: FrequencyAdvice };

const weeksShown = 8;
const daysRead = 84;
/** Most clicks come within a day, so a younger day would look worse than it is. */
const settledAfterDays = 2;
const maxLevel = 5;
const daysNeeded = 7;
/**
 * How many standard errors a difference needs to count. With this limit, chance alone gives advice to fewer than one
 * site in twenty (three measures, seven days or more).
 */
const clearErrors = 3;

/**
 * Returns the days of the last twelve weeks on which a site sent live or readers left, newest first. A notification
 * with local-time delivery belongs to the day of its hour at the site, even if its run started earlier.
 */
export function daysOfSite(on: Executor, siteId: string, timeZone: string): Promise<FrequencyDay[]> {
  const begins = sql`((today.day - ${daysRead - 1}::int)::timestamp at time zone ${timeZone})`;
  return rows(
    sql<FrequencyDay>`with today as (select (now() at time zone ${timeZone})::date as day),
      run as materialized (
        select r.id, (r.counts_at at time zone ${timeZone})::date as day, r.receipts is null as is_whole
        from runs r, today where r.site_id = ${siteId} and ${sendsCampaign("r")}
          and r.created_at >= ${earliestStart(begins)} and r.counts_at >= ${begins}
          and r.counts_at < (today.day + 1)::timestamp at time zone ${timeZone}),
      taken as (
        select run.id, sum(t.n) as accepted from run join run_totals t on t.site_id = ${siteId} and t.run_id = run.id
        where t.code = ${finalCode.accepted} group by run.id),
      sent as (
        select run.day, count(*) as nudges, coalesce(sum(taken.accepted), 0) as accepted,
          coalesce(max(taken.accepted), 0) as reached,
          sum(h.displayed) as displayed, sum(h.clicked) as clicked, sum(h.clicked_reporting) as clicked_reporting,
          bool_and(run.is_whole) as is_whole
        from run left join taken using (id)
          cross join lateral (select * from notification_sums where site_id = ${siteId} and run_id = run.id offset 0) h
        group by run.day),
      lost as (
        select l.day, l.n, l.expired from readers_left l, today
        where l.site_id = ${siteId} and l.day > today.day - ${daysRead}::int and l.day <= today.day)
      select to_char(day, 'YYYY-MM-DD') as day, (select day from today) - day as age, coalesce(nudges, 0)::int as nudges,
        coalesce(accepted, 0)::float8 as accepted,
        coalesce(max(reached) over (order by day range between interval '6 days' preceding and current row), 0)::float8
          as readers,
        coalesce(displayed, 0)::float8 as displayed, coalesce(clicked, 0)::float8 as clicked,
        coalesce(clicked_reporting, 0)::float8 as "clickedReporting", coalesce(lost.n, 0)::float8 as left,
        coalesce(lost.expired, 0)::float8 as expired,
        coalesce(is_whole, true) as "isWhole"
      from sent full join lost using (day) order by day desc`,
    on,
  );
}

/** Returns sums of the days by week and by notifications a day, and the advice that follows. */
export function sendFrequencyOf(days: FrequencyDay[]): SendFrequency {
  const settled = days.filter(
    ({ age, isWhole, readers, displayed }) => age >= settledAfterDays && isWhole && readers > 0 && displayed > 0,
  );
  return { weeks: weeksOf(days), fatigue: fatigueOf(settled), advice: adviceOf(settled) };
}

function weeksOf(days: FrequencyDay[]): FrequencyWeek[] {
  const weeks = Map.groupBy(days, ({ age }) => Math.floor(age / 7));
  return [...weeks]
    .filter(([week]) => week < weeksShown)
    .map(([week, sent]) => ({
      from: dayBefore(sent[0]!, 7 * week + 6),
      to: dayBefore(sent[0]!, 7 * week),
      nudges: sum(sent, "nudges"),
      clicked: sum(sent, "clicked"),
      left: sum(sent, "left"),
    }));
}

/** Returns the date (YYYY-MM-DD) of `age` days ago. `known`: a day whose date and age are known. */
function dayBefore(known: FrequencyDay, age: number): string {
  const at = Date.parse(`${known.day}T00:00:00Z`) + (known.age - age) * 86_400_000;
  return new Date(at).toISOString().slice(0, 10);
}

function sum(
  days: FrequencyDay[],
  of: "nudges" | "readers" | "displayed" | "clicked" | "clickedReporting" | "left" | "expired",
): number {
  return days.reduce((total, day) => total + day[of], 0);
}

/** Returns about how many notifications each reader got on a day, at least 1. */
const levelOf = ({ accepted, readers }: FrequencyDay) => Math.max(1, Math.round(accepted / readers));

/** Returns clicks and lost readers per 1,000 readers and day. Excludes readers who expired. */
function ratesOf(days: FrequencyDay[]): { clicked: number; left: number } {
  const ofThousand = (n: number) => (1_000 * n) / sum(days, "readers");
  return { clicked: ofThousand(sum(days, "clicked")), left: ofThousand(sum(days, "left") - sum(days, "expired")) };
}

function fatigueOf(days: FrequencyDay[]): Fatigue[] {
  const levels = Map.groupBy(days, (day) => Math.min(maxLevel, levelOf(day)));
  return [...levels]
    .toSorted(([a], [b]) => a - b)
    .map(([nudges, sent]) => ({
      nudges,
      days: sent.length,
      clickedOfShown: sum(sent, "clickedReporting") / sum(sent, "displayed"),
      ...ratesOf(sent),
    }));
}

/**
 * Compares days with few notifications with days with many. The limit between them makes the two groups as equal in
 * size as possible, so that its choice does not depend on what readers did. A day is the unit, because the same
 * people read all notifications of a day.
 */
function adviceOf(days: FrequencyDay[]): FrequencyAdvice {
  const limits = [...new Set(days.map(levelOf))].map((nudges) => ({
    nudges,
    fewer: days.filter((day) => levelOf(day) <= nudges),
    more: days.filter((day) => levelOf(day) > nudges),
  }));
  const smallerSide = ({ fewer, more }: (typeof limits)[number]) => Math.min(fewer.length, more.length);
  const limit = limits.toSorted((a, b) => smallerSide(b) - smallerSide(a))[0];
  if (limit === undefined || smallerSide(limit) < daysNeeded) return { says: "too_few_days", days: daysNeeded };
  const { nudges, fewer, more } = limit;
  const change = (of: (day: FrequencyDay) => number) => changeBetween(fewer, more, of);
  const clicked = change((day) => day.clicked / day.readers);
  const left = change((day) => (day.left - day.expired) / day.readers);
  const rate = change((day) => day.clickedReporting / day.displayed);
  const rates = { fewer: ratesOf(fewer), more: ratesOf(more) };
  const both = (of: "clicked" | "left") => ({ fewer: rates.fewer[of], more: rates.more[of] });
  return { says: verdictOf({ clicked, left, rate }), nudges, clicked: both("clicked"), left: both("left") };
}

type Change = "higher" | "lower" | "unclear";

function verdictOf({ clicked, left, rate }: Record<"clicked" | "left" | "rate", Change>) {
  if (clicked === "higher") return left === "higher" ? "trade_off" : "send_more";
  return left === "higher" || clicked === "lower" || rate === "lower" ? "send_fewer" : "no_difference";
}

/**
 * Returns whether `of` is higher or lower on the days with more notifications, by more than chance (Welch's test).
 * Each day is compared with the mean of its weekday. At weekends newsrooms send less, and readers behave differently.
 */
function changeBetween(fewer: FrequencyDay[], more: FrequencyDay[], of: (day: FrequencyDay) => number): Change {
  const weekday = ({ day }: FrequencyDay) => new Date(`${day}T00:00:00Z`).getUTCDay();
  const usual = new Map(
    [...Map.groupBy([...fewer, ...more], weekday)].map(([name, days]) => [name, momentsOf(days.map(of)).mean]),
  );
  const [a, b] = [fewer, more].map((days) => momentsOf(days.map((day) => of(day) - usual.get(weekday(day))!)));
  const { difference, error } = compareMeans(a!, b!);
  if (Math.abs(difference) <= clearErrors * error) return "unclear";
  return difference > 0 ? "higher" : "lower";
}
