import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import type { DeclaredFact } from "./declared-facts.ts";
import type { PromptSide } from "./other-prompt.ts";
import { wordsOf } from "./prompt-languages.ts";
import { ruleOf } from "./prompt-rule.ts";
import { type PromptVersions, shownPrompt } from "./prompt-versions.ts";
import { type ReaderSite, readerSite } from "./queries.ts";
import {
  formerWorkersOf,
  type LinkMode,
  offeredTopics,
  otherPromptOf,
  type Prompt,
  promptOf,
  type Topic,
} from "./reader-settings.ts";

/** One side of a prompt. `version`: the page sends it with the reader's yes. */
type ReaderPromptSide = PromptSide & { version: string };

/**
 * The prompt in the language of the page. `topics`: the topics that it offers. `untilPage` and `untilVisit`: the
 * numbers up to which a page counts the reader's pages and visits; 0 if there is nothing to count.
 */
type ReaderPrompt = ReaderPromptSide & {
  mode: Prompt["mode"];
  consent: Exclude<Prompt["consent"], "off"> | null;
  repeatDays: number;
  topics: Topic[];
  untilPage: number;
  untilVisit: number;
  /**
   * The two prompts of a comparison, the site's own first. `fromPage` and `fromVisit` above then hold the lower
   * values of both.
   */
  compared: { since: string; prompts: [ReaderPromptSide, ReaderPromptSide] } | null;
};

/** The public configuration of a site for its page script. `vapidPublicKey`: base64url. */
export type ReaderConfig = {
  tenantId: string;
  siteId: string;
  name: string;
  vapidPublicKey: string;
  topics: Topic[];
  prompt: ReaderPrompt;
  linkMode: LinkMode;
  /** The page on which readers choose topics and times. */
  preferencesUrl: string | null;
  /** The facts that pages may state about a reader. */
  facts: Pick<DeclaredFact, "name" | "values">[];
  /** The path endings of workers that are retired when a reader's subscription is migrated. Null if none is retired. */
  formerWorkers: string[] | null;
};

/**
 * Returns the configuration of a site for its page script, and stores the version of the prompt that it returns.
 * `language`: the language of the page. Throws `not_found` if the tenant has no such site.
 */
export async function readReaderConfig(
  app: App,
  input: { siteId: string; tenantId: unknown; language: unknown },
  versions: PromptVersions,
): Promise<ReaderConfig> {
  const site = await readerSite(app.db, input.siteId);
  if (site === undefined || site.tenantId !== String(input.tenantId).toLowerCase()) {
    throw appError("not_found", { message: "There is no such site. Check the install snippet." });
  }
  const { tenantId, name, topics, linkMode, preferencesUrl, migrateSubscriptions } = site;
  const vapidPublicKey = site.vapidPublicKey.toString("base64url");
  const prompt = await readPrompt(app, input, site, versions);
  const formerWorkers = migrateSubscriptions && formerWorkersOf(migrateSubscriptions);
  return {
    tenantId,
    siteId: input.siteId,
    name,
    vapidPublicKey,
    topics,
    prompt,
    linkMode,
    preferencesUrl,
    facts: site.facts.map(({ name, values }) => ({ name, values })),
    formerWorkers,
  };
}

/** Returns the prompt for a page in `language`, with both sides of a comparison. Stores the versions of the sides. */
async function readPrompt(
  app: App,
  { siteId, language: named }: { siteId: string; language: unknown },
  { prompt: set, topics, preferencesUrl }: ReaderSite,
  versions: PromptVersions,
): Promise<ReaderPrompt> {
  const language = typeof named === "string" ? named : "";
  const own = promptOf(set, language);
  const other = otherPromptOf(set, language);
  const sideOf = async (prompt: Prompt): Promise<ReaderPromptSide> => {
    const facts = { topics, hasPage: preferencesUrl !== null, code: versions.code(), isOther: prompt === other };
    const version = await versions.note(app, siteId, shownPrompt(prompt, facts));
    return { ...wordsOf(prompt), ...ruleOf(prompt), version };
  };
  const ownSide = await sideOf(own);
  const both = [own, other ?? own];
  const untilPage = Math.max(...both.map(({ fromPage }) => fromPage));
  const untilVisit = Math.max(...both.map(({ fromVisit }) => fromVisit));
  const hasToCount = untilPage > 1 || untilVisit > 1;
  return {
    ...ownSide,
    mode: own.mode,
    consent: own.consent === "off" ? null : own.consent,
    repeatDays: own.repeatDays,
    topics: offeredTopics(own, topics),
    fromPage: Math.min(...both.map(({ fromPage }) => fromPage)),
    fromVisit: Math.min(...both.map(({ fromVisit }) => fromVisit)),
    untilPage: hasToCount ? untilPage : 0,
    untilVisit: hasToCount ? untilVisit : 0,
    compared: other && { since: own.comparedSince!, prompts: [ownSide, await sideOf(other)] },
  };
}
