import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { finalCode } from "../runs/ledger/codes.ts";
import { earliestStart } from "../runs/queries.ts";
import { compareMeans, momentsOf } from "./moments.ts";

/** A day of a site on which it sent, or readers left, by the clocks of its zone (YYYY-MM-DD). */
export type FrequencyDay = {
  day: string;
  /** Days that have passed since; 0: today. */
  age: number;
  nudges: number;
  /** Messages that push services took. */
  accepted: number;
  /** The most that they took in one run of the week that ends with this day: about how many readers there were. */
  readers: number;
  displayed: number;
  clicked: number;
  /** Of `clicked`, those in browsers that report displays. */
  clickedReporting: number;
  /** Readers that left on this day, for whatever reason. */
  left: number;
  /** Of `left`, those who had expired: a setting of the owners, no answer to a notification. */
  expired: number;
  /** False where a run asked browsers not to report all: its ratios would be too low. */
  isWhole: boolean;
};

/** What was won and lost in seven days. `from` and `to`: the first and the last day (YYYY-MM-DD). */
export type FrequencyWeek = { from: string; to: string; nudges: number; clicked: number; left: number };

/**
 * The days on which each reader got about `nudges` notifications (`nudges` or more for the last). Rates are of 1,000
 * readers a day; `left` is without those who expired.
 */
export type Fatigue = { nudges: number; days: number; clickedOfShown: number; clicked: number; left: number };

/**
 * What follows from comparing the days with up to `nudges` notifications for each reader with those with more.
 * `clicked` and `left` (without those who expired): of 1,000 readers a day, on the days with fewer and with more. Without enough days: how many
 * each side needs.
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
/** Most clicks come within a day; a younger day would look worse than it is. */
const settledAfterDays = 2;
const maxLevel = 5;
const daysNeeded = 7;
/**
 * So far apart that chance alone gives advice to fewer than one site in twenty (three measures, seven days or more).
 */
const clearErrors = 3;

/**
 * Reads the days of the last twelve weeks on which a site sent live or readers left, the newest first. A notification
 * at the hour of the readers is of the day of that hour at the site, and of none before.
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

/** Adds up what `daysOfSite` found: by week, by notifications a day, and what follows from it. */
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

/** The day that is `age` days ago, as `known` is its own. */
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

/** About how many notifications each reader got. */
const levelOf = ({ accepted, readers }: FrequencyDay) => Math.max(1, Math.round(accepted / readers));

/** Of 1,000 readers a day: how many clicked, and how many left for another reason than that they had expired. */
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
 * Compares the days with few notifications with those with many, where the sides are most alike in number, so that the
 * choice of the limit does not look at what readers did. Days are the units, since the notifications of one day are
 * read by the same people.
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
 * Says whether `of` differs between two sets of days by more than chance (Welch's test). Each day is taken against the
 * mean of its weekday, because newsrooms send less at weekends, when readers read differently, too.
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
