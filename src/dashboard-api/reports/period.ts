import { faults, zodText } from "../../faults.ts";
import { day } from "../../input.ts";

/** The most days of one period. */
export const maxPeriodDays = 366;

const dayMs = 86_400_000;

/** The fields of a period: its first and its last day, in the site's calendar. */
export const periodFields = { from: day, to: day };

/** Returns how many days a period has, including its first and its last day. */
export const daysOf = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/**
 * Returns whether a period is neither reversed nor too long. A day that does not exist passes, because it has its own
 * error.
 */
export const isPeriod = (period: { from: string; to: string }): boolean => {
  const days = daysOf(period);
  return Number.isNaN(days) || (days >= 1 && days <= maxPeriodDays);
};
export const periodFault = {
  path: ["to"],
  error: zodText(faults.period_too_long({ most: maxPeriodDays - 1 })),
};
