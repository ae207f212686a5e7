/** What a decision says in two words. A score of 60 is that of a story of which nothing good or bad is known. */
export function worthOf({ decision, score }: { decision: "send" | "skip"; score: number }): string {
  if (decision === "skip") return "Better not";
  if (score >= 0.6) return "Worth sending";
  return score >= 0.4 ? "Worth a second look" : "Hardly worth sending";
}
