import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { type Executor, rows } from "../../db/pool.ts";
import { findWinner } from "../../runs/headline-test/check-test.ts";
import type { PromptRule } from "../../tenants/sites/prompt-rule.ts";
import { findReportedSite } from "./subscribers-summary.ts";

/**
 * The most prompts that a report names. The prompts that were shown last come first, and among those the most shown.
 */
const promptsAtMost = 50;

/**
 * How often a prompt was shown, and how often readers then allowed notifications. `rate`: the share, 0 to 1; null if
 * none was shown.
 */
export type PromptFigures = { shown: number; granted: number; rate: number | null };

/** A prompt of a site: its texts in one language, and the rule for when it appeared. */
export type ReportedPrompt = PromptFigures & { texts: { title?: string; body?: string }; rule: PromptRule };

/**
 * The comparison of two prompts. `better`: the one that is better beyond doubt; null while no difference can be seen.
 */
export type PromptComparison = {
  since: string;
  own: PromptFigures;
  other: PromptFigures;
  better: "own" | "other" | null;
};

/** The prompts of the last 90 days, which is how long their figures are kept, and the comparison that runs now. */
export type PromptReport = { prompts: ReportedPrompt[]; comparison: PromptComparison | null };

/** Reads how readers answer the prompts of a site of the actor's tenant. Throws `not_found`. */
export async function readPromptReport(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<PromptReport> {
  const { prompt } = await findReportedSite(app, actor, siteId);
  const { comparedSince: since } = prompt;
  const prompts = await promptsOfSite(app.db, siteId);
  return {
    prompts: prompts.map(({ texts, rule, ...counts }) => ({ texts, rule, ...figuresOf(counts) })),
    comparison: since ? compare(since, await sidesSince(app.db, siteId, since)) : null,
  };
}

type Counts = { shown: number; granted: number };

function figuresOf({ shown, granted }: Counts): PromptFigures {
  return { shown, granted, rate: shown === 0 ? null : Math.min(1, granted / shown) };
}

/** Compares two prompts with the statistics of headline tests, which may be read after each answer. */
function compare(since: string, { own, other }: { own: Counts; other: Counts }): PromptComparison {
  const sides = [own, other].map(({ shown, granted }) => ({ measured: shown, clicked: Math.min(granted, shown) }));
  const winner = findWinner(sides);
  const better = winner === undefined ? null : winner === 0 ? "own" : "other";
  return { since, own: figuresOf(own), other: figuresOf(other), better };
}

/**
 * Returns the prompts of a site. Versions with the same texts and rule are one prompt, whatever script or comparison
 * showed them.
 */
function promptsOfSite(on: Executor, siteId: string): Promise<(Counts & Pick<ReportedPrompt, "texts" | "rule">)[]> {
  return rows(
    sql<Counts & Pick<ReportedPrompt, "texts" | "rule">>`select p.texts, p.rule, sum(d.shown)::float8 as shown,
        sum(d.granted)::float8 as granted
      from prompt_days d join consent_prompts p on p.site_id = d.site_id and p.version = d.version
      where d.site_id = ${siteId}
      group by p.texts, p.rule order by max(d.day) desc, sum(d.shown) desc, sum(d.granted) desc, p.texts, p.rule limit ${promptsAtMost}`,
    on,
  );
}

async function sidesSince(on: Executor, siteId: string, since: string): Promise<{ own: Counts; other: Counts }> {
  const found = await rows(
    sql<Counts & { isOther: boolean }>`select p.is_other as "isOther", sum(d.shown)::float8 as shown,
        sum(d.granted)::float8 as granted
      from consent_prompts p join prompt_days d on d.site_id = p.site_id and d.version = p.version
      where p.site_id = ${siteId} and p.compared_since = ${since}::timestamptz group by p.is_other`,
    on,
  );
  const side = (isOther: boolean): Counts => {
    const { shown = 0, granted = 0 } = found.find((one) => one.isOther === isOther) ?? {};
    return { shown, granted };
  };
  return { own: side(false), other: side(true) };
}
