import { type HoldoutPeriod, periodDays, settledDays } from "../runs/holdout.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";

/**
 * The count of a day (UTC) of a period. `heldOut`: readers whom the class leaves out. `others`: readers who get its
 * notifications. Both groups subscribed before the period and can still be reached. `age`: days since the period
 * began. The period ends at 28.
 */
export type HoldoutDay = HoldoutPeriod & { age: number; heldOut: Counted; others: Counted };
/**
 * The size of a group. `came`: how many of its readers came that day. Null for the first count, when the class may
 * have left out nobody yet.
 */
type Counted = { readers: number; came: number | null };

/** A range that holds the true value in nineteen of twenty cases. */
export type Range = { low: number; middle: number; high: number };

/** What both groups did, per 1,000 readers, and the difference that the notifications made, with its range. */
export type HoldoutDifference = { heldOut: number; others: number; difference: Range };

/** What a site gains and loses by the notifications of a class. */
export type HoldoutEffect = {
  class: CampaignClass;
  /** The number of days whose visits were counted. */
  days: number;
  /** The number of readers left out at the last count. */
  heldOut: number;
  /** The readers who come in a day. Null if no visits were counted yet. */
  visits: HoldoutDifference | null;
  /** The readers who leave in four weeks. Null before the first whole period is over and has settled. */
  left: HoldoutDifference | null;
};

/** The share of readers in each group of one period, with the size of the group. */
type Shares = { heldOut: Sample; others: Sample };
type Sample = { share: number; readers: number };

/** Nineteen of twenty cases lie within this many standard errors. */
const rangeWidth = 1.96;
/**
 * The readers that are added to a sample, half of each kind, because a share of 0 or 1 has no spread (Agresti and
 * Coull, 1998).
 */
const addedReaders = 4;

/** Computes the effect of a class from its days, the newest first. */
export function effectOf(ofClass: CampaignClass, days: HoldoutDay[]): HoldoutEffect {
  const groups = (keyOf: (day: HoldoutDay) => string) => Object.values(Object.groupBy(days, keyOf)).map((all) => all!);
  return {
    class: ofClass,
    days: days.filter(tellsVisits).length,
    heldOut: days[0]?.heldOut.readers ?? 0,
    visits: differenceOf(groups(({ startsOn, percent }) => `${startsOn} ${percent}`).flatMap(visitsOf)),
    left: differenceOf(groups(({ startsOn }) => startsOn).flatMap(lossOf)),
  };
}

function tellsVisits({ age, heldOut }: HoldoutDay): boolean {
  return age < periodDays && heldOut.came !== null;
}

/**
 * Returns the average share of readers who came in a day of a period. Counts readers, not days of readers: somebody
 * who comes every day is one reader, and the counts do not show who came.
 */
function visitsOf(days: HoldoutDay[]): Shares[] {
  const during = days.filter(tellsVisits);
  const sampleOf = (counted: Counted[]): Sample => {
    const readers = sum(counted.map((of) => of.readers));
    return { share: sum(counted.map((of) => of.came ?? 0)) / readers, readers: readers / counted.length };
  };
  return sharesOf(sampleOf(during.map((day) => day.heldOut)), sampleOf(during.map((day) => day.others)));
}

/**
 * Returns the share of readers who left between the first day of a period and the day on which it had settled. Returns
 * none for a period that is not complete, or during which the percentage changed.
 */
function lossOf(days: HoldoutDay[]): Shares[] {
  const first = days.find(({ age }) => age === 0);
  const isWhole =
    days.some(({ age }) => age === periodDays - 1) && days.every(({ percent }) => percent === days[0]!.percent);
  const last = days.find(({ age }) => age >= periodDays + settledDays - 1);
  if (first === undefined || !isWhole || last === undefined) return [];
  const sampleOf = (then: Counted, now: Counted): Sample => {
    // A group can grow, because a reader whose subscription push services refused can become reachable again.
    return { share: Math.max(0, then.readers - now.readers) / then.readers, readers: then.readers };
  };
  return sharesOf(sampleOf(first.heldOut, last.heldOut), sampleOf(first.others, last.others));
}

function sharesOf(heldOut: Sample, others: Sample): Shares[] {
  return heldOut.readers > 0 && others.readers > 0 ? [{ heldOut, others }] : [];
}

/** Returns the mean difference of all periods. Each period weighs as much as the number of readers that it left out. */
function differenceOf(periods: Shares[]): HoldoutDifference | null {
  const all = sum(periods.map(({ heldOut }) => heldOut.readers));
  if (all === 0) return null;
  const weighted = (of: (shares: Shares) => number) =>
    sum(periods.map((shares) => (shares.heldOut.readers / all) * of(shares)));
  const [heldOut, others] = [weighted((of) => of.heldOut.share), weighted((of) => of.others.share)];
  const variance = sum(
    periods.map((of) => (of.heldOut.readers / all) ** 2 * (varianceOf(of.heldOut) + varianceOf(of.others))),
  );
  const middle = others - heldOut;
  const margin = rangeWidth * Math.sqrt(variance);
  const ofThousand = (share: number) => 1_000 * share;
  return {
    heldOut: ofThousand(heldOut),
    others: ofThousand(others),
    difference: { low: ofThousand(middle - margin), middle: ofThousand(middle), high: ofThousand(middle + margin) },
  };
}

function varianceOf({ share, readers }: Sample): number {
  const n = readers + addedReaders;
  const p = (share * readers + addedReaders / 2) / n;
  return (p * (1 - p)) / n;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
