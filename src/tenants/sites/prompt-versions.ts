import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import type { Executor } from "../../db/pool.ts";
import { type PromptRule, ruleOf } from "./prompt-rule.ts";
import { offeredTopics, type Prompt, type Topic } from "./reader-settings.ts";

/** The most versions of a site's prompt that are kept. */
export const maxPromptVersions = 10_000;
/** The most versions that a process remembers as stored. */
const rememberedAtMost = 10_000;

/**
 * The prompt that a reader saw before they said yes, and the rule by which it appeared. `code`: the SHA-256, in
 * hexadecimal, of the script that showed it, with its style. `comparedSince`: the comparison in which it was shown,
 * if one ran. `isOther`: whether it was the second of the two prompts.
 */
export type ShownPrompt = {
  texts: object;
  code: string;
  rule: PromptRule;
  comparedSince: string | null;
  isOther: boolean;
};

/**
 * Returns what a prompt shows. `topics`: the topics of the site that readers can choose. `hasPage`: whether the site
 * has a page on which readers choose. The prompt then links to it.
 */
export function shownPrompt(
  prompt: Prompt,
  { topics, hasPage, code, isOther }: { topics: Topic[]; hasPage: boolean; code: string; isOther: boolean },
): ShownPrompt {
  const { title, body, accept, later, choose, topicsLabel, allTopics } = prompt;
  const offered = offeredTopics(prompt, topics).map(({ name }) => name);
  const ofTopics = { topicsLabel, topics: offered, ...(offered.length > 1 && { allTopics }) };
  const texts = { title, body, accept, later, ...(hasPage && { choose }), ...(offered.length > 0 && ofTopics) };
  return { texts, code, rule: ruleOf(prompt), comparedSince: prompt.comparedSince, isOther };
}

/**
 * Returns the version of a prompt: 16 hexadecimal digits. Equal texts, code, rule and side of a comparison give the
 * same version.
 */
export function versionOf({ texts, code, rule, comparedSince, isOther }: ShownPrompt): string {
  const hash = createHash("sha256").update(JSON.stringify([texts, code, rule, comparedSince, isOther]));
  return hash.digest("hex").slice(0, 16);
}

/** The versions of prompts that this process gives to pages. `code`: returns the hash of the script that shows them. */
export type PromptVersions = { code(): string; note(app: App, siteId: string, shown: ShownPrompt): Promise<string> };

/**
 * Creates the versions. `note` stores a version before a page gets it, and returns the version. So the text behind a
 * reader's yes is known even after the texts or the program have changed. Each process stores a version once.
 * `script`: returns the script that shows the prompt.
 */
export function createPromptVersions(script: () => string): PromptVersions {
  let code: string | undefined;
  const stored = new Set<string>();
  return {
    code() {
      code ??= createHash("sha256").update(script()).digest("hex");
      return code;
    },
    async note(app, siteId, shown) {
      const version = versionOf(shown);
      const key = `${siteId} ${version}`;
      if (stored.has(key)) return version;
      await storeVersion(app.db, siteId, version, shown);
      if (stored.size >= rememberedAtMost) stored.clear();
      stored.add(key);
      return version;
    },
  };
}

async function storeVersion(
  on: Executor,
  siteId: string,
  version: string,
  { texts, code, rule, comparedSince, isOther }: ShownPrompt,
): Promise<void> {
  await sql`insert into consent_prompts (site_id, version, texts, code, rule, compared_since, is_other)
    select id, ${version}, ${JSON.stringify(texts)}, ${code}, ${JSON.stringify(rule)}, ${comparedSince}::timestamptz, ${isOther}
    from sites
    where id = ${siteId} and (select count(*) from consent_prompts where site_id = ${siteId}) < ${maxPromptVersions}
    on conflict do nothing`.execute(on);
}
