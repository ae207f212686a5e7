import { words } from "../words/words.ts";
/** What a decision says in two words. A score of 60 is that of a story of which nothing good or bad is known. */
export function worthOf({ decision, score }: { decision: "send" | "skip"; score: number }): string {
  if (decision === "skip") return words.components.betterNot;
  if (score >= 0.6) return words.components.worthSending;
  return score >= 0.4 ? words.components.worthASecondLook : words.components.hardlyWorthSending;
}
