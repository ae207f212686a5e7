import { type HoldoutPeriod, periodDays, settledDays } from "../runs/holdout.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";

/**
 * The count of a day (UTC) of a period: readers who subscribed before the period and are still subscribed, and how many
 * of them came that day. `heldOut`: those whom the class left out. `others`: those who got its notifications.
 */
export type HoldoutDay = HoldoutPeriod & { day: string; heldOut: Counted; others: Counted };
export type Counted = { readers: number; came: number };

/** The range that holds the true value in nineteen of twenty cases. */
export type Range = { low: number; middle: number; high: number };

/** What both groups did, of 1,000 readers, and the difference that the notifications made, with its range. */
export type HoldoutDifference = { heldOut: number; others: number; difference: Range };

/** What the notifications of a class have won and lost. */
export type HoldoutEffect = {
  class: CampaignClass;
  /** The days with a count. */
  days: number;
  /** The readers left out at the last count. */
  heldOut: number;
  /** The readers who come in a day. Null before the first count. */
  visits: HoldoutDifference | null;
  /** The readers who leave in four weeks. Null before the first period is over and has settled. */
  left: HoldoutDifference | null;
};
