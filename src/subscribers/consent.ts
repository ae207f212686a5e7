import { sql } from "kysely";
import type { Executor } from "../db/pool.ts";
import type { ReaderSite } from "../tenants/sites/queries.ts";
import { type Prompt, promptOf, promptTexts, promptVersion } from "../tenants/sites/reader-settings.ts";

/**
 * What a page says of a reader's yes: the version of the prompt that they said it to, or that a button of the site
 * asked.
 */
export type Consent = { how: "page" | "migrated" | "test" } | { how: "prompt"; version: string };

/**
 * Records how a subscriber consented, and when. The texts of the prompt are kept where they are still the site's; a
 * version that is not known is left out, since a page could send any.
 */
export async function recordConsent(
  on: Executor,
  siteId: string,
  endpointHash: Buffer,
  { consent, site }: { consent: Consent; site: Pick<ReaderSite, "prompt" | "topics"> },
): Promise<void> {
  const version = consent.how === "prompt" ? consent.version : null;
  const shown = promptsOf(site).find((prompt) => version === promptVersion(prompt, site.topics));
  if (shown) {
    const texts = JSON.stringify(promptTexts(shown, site.topics));
    await sql`insert into consent_texts (site_id, version, texts) values (${siteId}, ${version}, ${texts})
      on conflict do nothing`.execute(on);
  }
  await sql`update subscribers set consent = ${consent.how}, consented_at = now(),
      consent_version = (select version from consent_texts where site_id = ${siteId} and version = ${version})
    where site_id = ${siteId} and endpoint_hash = ${endpointHash}`.execute(on);
}

/** The prompts that pages of a site show now: its own, and that of each language. */
function promptsOf({ prompt }: Pick<ReaderSite, "prompt">): Prompt[] {
  return ["", ...Object.keys(prompt.languages ?? {})].map((language) => promptOf(prompt, language));
}
