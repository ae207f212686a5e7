import { type Check, type Reason, reasonOf, type StoryFacts } from "./checks/check.ts";
import { ownHistory } from "./checks/history-check.ts";
import { ownHoldout } from "./checks/holdout-check.ts";
import { nudgeChecks } from "./checks/nudge-checks.ts";
import { pageChecks } from "./checks/page-checks.ts";
import { siteChecks } from "./checks/site-checks.ts";
import { storyChecks } from "./checks/story-checks.ts";

/** The decision with its reasons. `decideStory` adds the article, the notification and the audience. */
export type CheckedStory = { decision: "send" | "skip"; score: number; reasons: Reason[] };

/**
 * All checks, in the order of their reasons. To add a check, write it, add it to its list, and add it to
 * docs/decision.md.
 */
export const checks: Check[] = [...pageChecks, ...storyChecks, ...nudgeChecks, ...siteChecks, ownHistory, ownHoldout];

/** The score of a story without findings. */
const startScore = 0.6;

/**
 * Takes the content decision: `skip` if a check blocks, else `send`. Only positive evidence blocks. `score`: 0 to 1
 * with two decimals, 0 for `skip`. Reasons come in the order of the checks. A skip has only the reasons that block,
 * because other improvements would not help. `now`: ms since 1970.
 */
export function checkStory(facts: StoryFacts, now: number): CheckedStory {
  const findings = checks.flatMap((check) => {
    const finding = check.find(facts, now);
    return finding === null ? [] : [{ code: check.code, ...finding }];
  });
  const isBlocked = findings.some(({ effect }) => effect === "blocks");
  const sum = findings.reduce((score, { weight }) => score + (weight ?? 0), startScore);
  return {
    decision: isBlocked ? "skip" : "send",
    score: isBlocked ? 0 : Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100,
    reasons: findings
      .filter(({ effect }) => !isBlocked || effect === "blocks")
      .map(({ code, ...finding }) => reasonOf(code, finding)),
  };
}
