import { decisionMessages as messages } from "../messages.ts";
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
    const range = { low: visitsWon.low.toFixed(1), high: visitsWon.high.toFixed(1) };
    if (visitsWon.high <= 0) return { effect: "lowers", weight: -weight, message: messages.visits_not_won(range) };
    if (visitsWon.low <= 0) return null;
    return { effect: "informs", message: messages.visits_won(range) };
  },
};
