import { sql } from "kysely";
import type { Executor } from "../../db/pool.ts";

/**
 * What a page says of a reader's yes. `prompt`: they said yes to this version of the prompt. `page`: a button of the
 * site asked them.
 */
export type Consent = { how: "page" | "migrated" | "test" } | { how: "prompt"; version: string };

/**
 * Records how the subscriber with an address consented, and when. Does not record a version that no page of the site
 * got, because a page could send any. `isNew`: the address is new. At a known address, a yes that says nothing new
 * does not replace the former one: readers press a button of the site for each topic that they follow, and browsers
 * repeat a registration. When a yes replaces a former one, the database keeps the former in `consent_proofs`.
 */
export async function recordConsent(
  on: Executor,
  siteId: string,
  { endpointHash, isNew }: { endpointHash: Buffer; isNew: boolean },
  consent: Consent,
): Promise<void> {
  const { how } = consent;
  const version = how === "prompt" ? consent.version : null;
  await sql`with known as (
      select (select version from consent_prompts where site_id = ${siteId} and version = ${version}) as version)
    update subscribers s set consent = ${how}, consented_at = now(), consent_version = known.version
    from known where s.site_id = ${siteId} and s.endpoint_hash = ${endpointHash}
      and (${isNew} or s.consent is null or case ${how}::text
        when 'page' then s.consent not in ('prompt', 'page')
        when 'prompt' then s.consent <> 'prompt' or s.consent_version is distinct from known.version
        else true end)`.execute(on);
}
