import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import type { DeclaredFact } from "./declared-facts.ts";
import { type PromptVersions, shownPrompt } from "./prompt-versions.ts";
import { readerSite } from "./queries.ts";
import { formerWorkersOf, type LinkMode, offeredTopics, type Prompt, promptOf, type Topic } from "./reader-settings.ts";

/** The public configuration of a site for its page script. `vapidPublicKey`: base64url. */
export type ReaderConfig = {
  tenantId: string;
  siteId: string;
  name: string;
  vapidPublicKey: string;
  topics: Topic[];
  /** In the language of the page. `topics`: that it offers. `version`: which a page sends with the yes to it. */
  prompt: Omit<Prompt, "topicIds" | "languages" | "consent"> & {
    topics: Topic[];
    version: string;
    consent: Exclude<Prompt["consent"], "off"> | null;
  };
  linkMode: LinkMode;
  /** The page on which readers choose. */
  preferencesUrl: string | null;
  /** What pages may say of a reader. */
  facts: Pick<DeclaredFact, "name" | "values">[];
  /** How the paths of workers end that are retired when a reader's subscription is migrated. Null: none is. */
  formerWorkers: string[] | null;
};

/**
 * Returns the configuration of a site for its page script, and notes the version of the prompt that it gives. `language`:
 * of the page. Throws `not_found` if the tenant has no such site.
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
  const set = promptOf(site.prompt, typeof input.language === "string" ? input.language : "");
  const { topicIds: _, languages: __, ...texts } = set;
  const consent = set.consent === "off" ? null : set.consent;
  const shown = shownPrompt(set, { topics, hasPage: preferencesUrl !== null, code: versions.code() });
  const version = await versions.note(app, input.siteId, shown);
  const prompt = { ...texts, consent, topics: offeredTopics(set, topics), version };
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
