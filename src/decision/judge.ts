import type { Check, Reason, StoryFacts } from "./checks/check.ts";
import { nudgeChecks } from "./checks/nudge-checks.ts";
import { pageChecks } from "./checks/page-checks.ts";
import { siteChecks } from "./checks/site-checks.ts";
import { storyChecks } from "./checks/story-checks.ts";

/** The decision alone; `decideStory` adds the article, the nudge and the audience. */
export type Judgement = { decision: "send" | "skip"; score: number; reasons: Reason[] };

/** Every check, in the order in which reasons are shown. To add one, write it, put it in its list and in docs/decision.md. */
export const checks: Check[] = [...pageChecks, ...storyChecks, ...nudgeChecks, ...siteChecks];

/** Of a story that nothing is said about. */
const startScore = 0.6;

/**
 * The content decision. Skip when a check blocks, and only positive evidence blocks; else send.
 * `now`: ms since 1970. `score` is 0 to 1 with two decimals, and 0 for a skip. Reasons come in the order of the checks.
 */
export function judge(facts: StoryFacts, now: number): Judgement {
  const findings = checks.flatMap((check) => {
    const finding = check.judge(facts, now);
    return finding === null ? [] : [{ code: check.code, ...finding }];
  });
  const isBlocked = findings.some(({ effect }) => effect === "blocks");
  const sum = findings.reduce((score, { weight }) => score + (weight ?? 0), startScore);
  return {
    decision: isBlocked ? "skip" : "send",
    score: isBlocked ? 0 : Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100,
    reasons: findings.map(({ code, effect, message }) => ({ code, effect, message })),
  };
}
