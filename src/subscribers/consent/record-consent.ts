import { sql } from "kysely";
import type { Executor } from "../../db/pool.ts";

/**
 * What a page says of a reader's yes: the version of the prompt that they said it to, or that a button of the site
 * asked.
 */
export type Consent = { how: "page" | "migrated" | "test" } | { how: "prompt"; version: string };

/**
 * Records how a subscriber consented, and when. A version that no page of the site got is left out, since a page could
 * send any. The database keeps a former yes (`consent_proofs`).
 */
export async function recordConsent(
  on: Executor,
  siteId: string,
  endpointHash: Buffer,
  consent: Consent,
): Promise<void> {
  const version = consent.how === "prompt" ? consent.version : null;
  await sql`update subscribers set consent = ${consent.how}, consented_at = now(),
      consent_version = (select version from consent_prompts where site_id = ${siteId} and version = ${version})
    where site_id = ${siteId} and endpoint_hash = ${endpointHash}`.execute(on);
}
