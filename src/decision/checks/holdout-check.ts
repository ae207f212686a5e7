import type { Check } from "./check.ts";

const weight = 0.1;

/**
 * What readers who are left out show about the class. Finds nothing if the range does not tell whether visits are won.
 */
export const ownHoldout: Check = {
  code: "own_holdout",
  effects: ["lowers", "informs"],
  when: "the class leaves readers out: lowers if its notifications win no visits, informs if they win some",
  find({ visitsWon }) {
    if (visitsWon === null) return null;
    const [low, high] = [visitsWon.low, visitsWon.high].map((visits) => visits.toFixed(1));
    if (visitsWon.high <= 0) {
      const message = `Measured with readers left out: such notifications win no visits (${low} to ${high} a day of 1,000 readers).`;
      return { effect: "lowers", weight: -weight, message };
    }
    if (visitsWon.low <= 0) return null;
    const message = `Measured with readers left out: such notifications win ${low} to ${high} visits a day of 1,000 readers.`;
    return { effect: "informs", message };
  },
};
