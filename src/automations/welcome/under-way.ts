import type { WelcomeStep } from "./welcome.ts";

/**
 * The way in which readers who wait for step `from` (from 1) continue after a change of the steps. `to` null: their
 * welcome ends. `days`: how much later the step comes.
 */
export type StepMove = { from: number; to: number | null; days: number };

/**
 * Returns the moves that a change of the steps needs. Readers continue with the step for which they wait, wherever it
 * stands now. If it was removed, they continue with the next remaining step. Steps already received are not repeated.
 */
export function movesBetween(before: WelcomeStep[], after: WelcomeStep[]): StepMove[] {
  const places = before.map((_, at) => placeOf(at, before, after));
  return before.flatMap((step, at): StepMove[] => {
    const passed = Math.max(-1, ...places.slice(0, at).map((place = -1) => place));
    const own = places[at];
    if (own !== undefined && own > passed) return own === at ? [] : [{ from: at + 1, to: own + 1, days: 0 }];
    const next = after.findIndex(({ afterDays }, i) => i > passed && afterDays > step.afterDays);
    if (next < 0) return [{ from: at + 1, to: null, days: 0 }];
    return [{ from: at + 1, to: next + 1, days: after[next]!.afterDays - step.afterDays }];
  });
}

/**
 * Returns the place of a step after the change. The step is found by its text. A step whose text has changed is found
 * by its place, if the number of steps is the same, or by its day. Returns undefined if the step was removed.
 */
function placeOf(at: number, before: WelcomeStep[], after: WelcomeStep[]): number | undefined {
  const step = before[at]!;
  if (after[at] !== undefined && hasSameText(after[at], step)) return at;
  const isOther = (one: WelcomeStep) => before.some((other) => hasSameText(other, one));
  const found = [
    after.findIndex((one) => hasSameText(one, step)),
    before.length === after.length && !isOther(after[at]!) ? at : -1,
    after.findIndex((one) => one.afterDays === step.afterDays && !isOther(one)),
  ];
  return found.find((place) => place >= 0);
}

function hasSameText(a: WelcomeStep, b: WelcomeStep): boolean {
  return a.title === b.title && a.body === b.body && a.url === b.url;
}
