/**
 * Upper bounds, in seconds from the send, by which displays are counted. The last bound also takes all later
 * displays, from devices that were off for a long time.
 */
export const screenSeconds = [
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600, 900, 1_800],
  ...[3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 604_800],
];

/**
 * A count of displays. `seconds`: a bound of `screenSeconds`. `displayed`: notifications that took up to this bound
 * and longer than the bound before it.
 */
export type ScreenTime = { seconds: number; displayed: number };

/**
 * How long notifications took from the send to the screen, in whole seconds. Within these times, 50 %, 90 % and 99 %
 * of the reported notifications were displayed. `displayed`: the number of reported notifications.
 */
export type TimeToScreen = { p50Seconds: number; p90Seconds: number; p99Seconds: number; displayed: number };

/** With fewer displays, a share of them means nothing. */
const displayedAtLeast = 20;

/** Returns the time to the screen of a run from its counts, in any order; null if it has fewer than 20 displays. */
export function timeToScreenOf(counts: ScreenTime[]): TimeToScreen | null {
  const sorted = counts.toSorted((a, b) => a.seconds - b.seconds);
  const displayed = sorted.reduce((sum, count) => sum + count.displayed, 0);
  if (displayed < displayedAtLeast) return null;
  const within = (share: number) => secondsOf(sorted, share * displayed);
  return { p50Seconds: within(0.5), p90Seconds: within(0.9), p99Seconds: within(0.99), displayed };
}

/**
 * Returns the seconds within which `wanted` notifications were displayed. Assumes that displays are spread evenly
 * within a bound.
 */
function secondsOf(sorted: ScreenTime[], wanted: number): number {
  let before = 0;
  for (const { seconds, displayed } of sorted) {
    if (before + displayed >= wanted) {
      const from = screenSeconds[screenSeconds.indexOf(seconds) - 1] ?? 0;
      return Math.ceil(from + ((seconds - from) * (wanted - before)) / displayed);
    }
    before += displayed;
  }
  throw new Error(`there are only ${before} displays, not ${wanted}`);
}
