import { words } from "../words/words.ts";
/** Returns a decision in two words. A story about which nothing good or bad is known has a score of 0.6. */
export function worthOf({ decision, score }: { decision: "send" | "skip"; score: number }): string {
  if (decision === "skip") return words.components.betterNot;
  if (score >= 0.6) return words.components.worthSending;
  return score >= 0.4 ? words.components.worthASecondLook : words.components.hardlyWorthSending;
}
