import { type HoldoutPeriod, periodDays, settledDays } from "../runs/holdout.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";

/**
 * The count of a day (UTC) of a period. `heldOut`: readers whom the class leaves out. `others`: readers who get its
 * notifications. Both had subscribed before the period and can still be reached. `age`: days since the period began;
 * from 28 on it is over.
 */
export type HoldoutDay = HoldoutPeriod & { age: number; heldOut: Counted; others: Counted };
/** `came`: how many came that day; null for the first count, when the class may have left out nobody yet. */
type Counted = { readers: number; came: number | null };

/** The range that holds the true value in nineteen of twenty cases. */
export type Range = { low: number; middle: number; high: number };

/** What both groups did, of 1,000 readers, and the difference that the notifications made, with its range. */
export type HoldoutDifference = { heldOut: number; others: number; difference: Range };

/** What the notifications of a class have won and lost. */
export type HoldoutEffect = {
  class: CampaignClass;
  /** The days whose visits were counted. */
  days: number;
  /** The readers left out at the last count. */
  heldOut: number;
  /** The readers who come in a day. Null before the first count. */
  visits: HoldoutDifference | null;
  /** The readers who leave in four weeks. Null before the first whole period is over and has settled. */
  left: HoldoutDifference | null;
};

/** Shares of the readers of one period in both groups, and how many readers that were. */
type Shares = { heldOut: Sample; others: Sample };
type Sample = { share: number; readers: number };

/** Nineteen of twenty cases lie within so many standard errors. */
const rangeWidth = 1.96;
/** A share of none or all has no spread of its own: two readers of either kind are added (Agresti and Coull, 1998). */
const addedReaders = 4;

/** Computes the effect of a class from its days, the newest first. */
export function effectOf(ofClass: CampaignClass, days: HoldoutDay[]): HoldoutEffect {
  const periods = Object.values(Object.groupBy(days, ({ startsOn, percent }) => `${startsOn} ${percent}`)).map(
    (all) => all!,
  );
  return {
    class: ofClass,
    days: days.filter(tellsVisits).length,
    heldOut: days[0]?.heldOut.readers ?? 0,
    visits: differenceOf(periods.flatMap(visitsOf)),
    left: differenceOf(periods.flatMap(lossOf)),
  };
}

function tellsVisits({ age, heldOut }: HoldoutDay): boolean {
  return age < periodDays && heldOut.came !== null;
}

/**
 * The readers who came in a day of a period, on average. Counts as many readers as were there, not days of readers: who
 * comes every day tells no more than one reader, and the count does not know who they are.
 */
function visitsOf(days: HoldoutDay[]): Shares[] {
  const during = days.filter(tellsVisits);
  const sampleOf = (counted: Counted[]): Sample => {
    const readers = sum(counted.map((of) => of.readers));
    return { share: sum(counted.map((of) => of.came ?? 0)) / readers, readers: readers / counted.length };
  };
  return sharesOf(sampleOf(during.map((day) => day.heldOut)), sampleOf(during.map((day) => day.others)));
}

/** The readers who left from the first day of a period until it had settled. Nothing of a period that is not whole. */
function lossOf(days: HoldoutDay[]): Shares[] {
  const first = days.find(({ age }) => age === 0);
  const last = days.find(({ age }) => age >= periodDays + settledDays - 1);
  if (first === undefined || last === undefined) return [];
  const sampleOf = (then: Counted, now: Counted): Sample => {
    // A group can grow: a reader whom push services refused can be reached again.
    return { share: Math.max(0, then.readers - now.readers) / then.readers, readers: then.readers };
  };
  return sharesOf(sampleOf(first.heldOut, last.heldOut), sampleOf(first.others, last.others));
}

function sharesOf(heldOut: Sample, others: Sample): Shares[] {
  return heldOut.readers > 0 && others.readers > 0 ? [{ heldOut, others }] : [];
}

/** The mean difference of all periods, in which each weighs as much as the readers that it left out. */
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
