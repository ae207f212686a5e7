import { sql } from "kysely";
import { type Executor, rows } from "../../db/pool.ts";

/** The most former consents that are kept of one address. The schema has as many places. */
export const proofsKept = 10;

/**
 * A reader's consent. `how`: as in `subscribers.consent`. `endedAt`: when the subscription ended or a later yes
 * replaced this one, or null if the consent lasts. `texts`, `code`, `rule`, `firstAt`: the prompt, the hash of the
 * script that showed it, the rule for when it appeared, and the time when a page of the site first got it. They are
 * null if the reader did not say yes to a prompt, or the prompt is not known. `comparedSince`, `isOther`: the
 * comparison of two prompts in which it was shown, and which of the two it was.
 */
export type ConsentRecord = {
  how: string;
  consentedAt: string | null;
  endedAt: string | null;
  version: string | null;
  texts: Record<string, unknown> | null;
  code: string | null;
  rule: Record<string, unknown> | null;
  comparedSince: string | null;
  isOther: boolean | null;
  firstAt: string | null;
};

const time = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`);

/** SQL: what is known of the version `p` of a prompt. */
const promptFacts = sql`p.texts, p.code, p.rule, ${time("p.compared_since")} as "comparedSince", p.is_other as "isOther",
  ${time("p.first_at")} as "firstAt"`;

/** Returns the known consents of an address at a site: the one that lasts, then the former ones, the newest first. */
export function consentsOfAddress(on: Executor, siteId: string, endpointHash: Buffer): Promise<ConsentRecord[]> {
  return rows(
    sql<ConsentRecord>`select c.consent as how, ${time("c.consented_at")} as "consentedAt", ${time("c.ended_at")} as "endedAt",
        c.consent_version as version, ${promptFacts}
      from (
        select consent, consented_at, null::timestamptz as ended_at, consent_version from subscribers
          where site_id = ${siteId} and endpoint_hash = ${endpointHash} and consent is not null
        union all
        select consent, consented_at, ended_at, consent_version from consent_proofs
          where site_id = ${siteId} and hash = left_hash(${siteId}, ${endpointHash})) c
        left join consent_prompts p on p.site_id = ${siteId} and p.version = c.consent_version
      order by c.ended_at desc nulls first`,
    on,
  );
}

/** A version of a site's prompt. */
export type PromptVersion = { version: string } & Omit<ConsentRecord, "how" | "consentedAt" | "endedAt" | "version">;
/** A consent at an address. Names the address only by its hash, in hexadecimal. */
export type HashedConsent = { hash: string } & Pick<ConsentRecord, "how" | "consentedAt" | "endedAt" | "version">;

/** Returns the next versions of a site's prompt after `after`, in order. */
export function promptsPage(on: Executor, siteId: string, after: string, limit: number): Promise<PromptVersion[]> {
  return rows(
    sql<PromptVersion>`select p.version, ${promptFacts} from consent_prompts p
      where site_id = ${siteId} and version > ${after} order by version limit ${limit}`,
    on,
  );
}

/** Returns the next consents of a site's subscribers after the id `after`, in order. */
export function consentsPage(
  on: Executor,
  siteId: string,
  after: number,
  limit: number,
): Promise<(HashedConsent & { id: number })[]> {
  return rows(
    sql<
      HashedConsent & { id: number }
    >`select id, encode(left_hash(site_id, endpoint_hash), 'hex') as hash, consent as how,
        ${time("consented_at")} as "consentedAt", null as "endedAt", consent_version as version
      from subscribers where site_id = ${siteId} and id > ${after} and consent is not null and not is_test order by id limit ${limit}`,
    on,
  );
}

/** Returns the next records of former consents at a site after a hash and place, in order. */
export function proofsPage(
  on: Executor,
  siteId: string,
  after: { hash: string; place: number },
  limit: number,
): Promise<(HashedConsent & { place: number })[]> {
  return rows(
    sql<HashedConsent & { place: number }>`select encode(hash, 'hex') as hash, place, consent as how,
        ${time("consented_at")} as "consentedAt", ${time("ended_at")} as "endedAt", consent_version as version
      from consent_proofs where site_id = ${siteId} and (hash, place) > (decode(${after.hash}, 'hex'), ${after.place}::smallint)
      order by hash, place limit ${limit}`,
    on,
  );
}

/** Deletes at most `limit` records of consents that ended more than `days` days ago. Returns how many it deleted. */
export async function deleteOldProofs(on: Executor, days: number, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from consent_proofs where ctid = any(array(
        select ctid from consent_proofs where ended_at < now() - make_interval(days => ${days}::int)
        order by ended_at limit ${limit} for update skip locked)) returning 1 as one`,
    on,
  );
  return deleted.length;
}
