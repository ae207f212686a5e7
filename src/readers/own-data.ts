import { sql } from "kysely";
import type { App } from "../app.ts";
import { type Executor, row, rows } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { parseInput } from "../input.ts";
import { enforceLimit } from "../rate-limits/count-requests.ts";
import { readerDataLimit } from "../rate-limits/limits.ts";
import { classOf, type FinalCode, finalCodes } from "../runs/ledger/codes.ts";
import { placesOfReader } from "../runs/reader-places.ts";
import { receiptKinds } from "../runs/receipt-kinds.ts";
import { type ConsentRecord, consentsOfAddress } from "../subscribers/consent/queries.ts";
import { proofInput } from "../subscribers/erase-subscriber.ts";
import { subscriberOf } from "../subscribers/preferences/queries.ts";
import { endpointHref, hashEndpoint, readAuth } from "../subscribers/subscription.ts";

/** All stored data of one subscriber, as their own browser may read it. */
export type ReaderData = {
  site: { siteId: string; name: string };
  /** The time of the read (ISO 8601). */
  readAt: string;
  subscription: Record<string, unknown>;
  /**
   * Their consent to this subscription, with the prompt that they saw, and then their earlier consents at this
   * address.
   */
  consents: ConsentRecord[];
  topics: string[];
  /** Their rows in other tables, by the name of the table. */
  further: Record<string, Record<string, unknown>[]>;
  /**
   * The notifications that were planned for them, until the lists of recipients of those runs expire. `sentAt`: the
   * time of the send to this subscriber.
   */
  nudges: { runId: string; title: string; sentAt: string; outcome: string; reports: string[] }[];
};

/**
 * Returns all stored data of a subscription of the site to the browser that has its secret. Tables with a
 * `subscriber_id` need no entry here. Throws `validation_failed`, `not_found` if the body names no subscription of the
 * site, and `rate_limited`.
 */
export async function readReaderData(app: App, input: { siteId: string; body: unknown }): Promise<ReaderData> {
  const { siteId } = input;
  const proof = parseInput(proofInput, input.body);
  const href = endpointHref(proof.endpoint);
  const auth = readAuth(proof.auth);
  const endpointHash = href && hashEndpoint(href);
  const found = endpointHash && auth && (await subscriberOf(app.db, siteId, { endpointHash, auth }));
  if (!found) throw appError("not_found", { message: "This browser is not subscribed to the site." });
  const { id } = found;
  await limitReader(app, siteId, id);
  return app.db.transaction().execute(async (tx) => ({
    ...(await readSubscription(tx, siteId, id)),
    consents: await consentsOfAddress(tx, siteId, endpointHash),
    further: await readFurther(tx, siteId, id),
    nudges: await readNudges(tx, siteId, id),
  }));
}

/** Counts a read of the data. It is counted after the proof, so that nobody else can use up a reader's reads. */
async function limitReader(app: App, siteId: string, id: number): Promise<void> {
  await enforceLimit(
    app,
    readerDataLimit,
    `${siteId} ${id}`,
    "This browser has read its data often. Wait an hour, then try again.",
  );
}

async function readSubscription(on: Executor, siteId: string, id: number) {
  const found = await row(
    sql<Pick<ReaderData, "site" | "subscription" | "topics" | "readAt">>`
      select jsonb_build_object('siteId', sites.id, 'name', sites.name) as site,
        to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "readAt",
        to_jsonb(s) - '{site_id,endpoint_hash}'::text[] as subscription,
        array(select t.name from subscriber_topics st join topics t on t.site_id = st.site_id and t.id = st.topic_id
          where st.site_id = s.site_id and st.subscriber_id = s.id order by t.name) as topics
      from subscribers s join sites on sites.id = s.site_id
      where s.site_id = ${siteId} and s.id = ${id}`,
    on,
  );
  return found!;
}

/** Returns the rows of one subscriber in all tables that have no field of their own in the answer. */
async function readFurther(on: Executor, siteId: string, id: number): Promise<ReaderData["further"]> {
  const tables = await rows(
    sql<{ name: string }>`select c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'subscriber_topics'
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'subscriber_id' and not a.attisdropped)
      order by 1`,
    on,
  );
  const further: ReaderData["further"] = {};
  for (const { name } of tables) {
    const found = await rows(
      sql<{ data: Record<string, unknown> }>`select to_jsonb(t) - '{site_id,subscriber_id}'::text[] as data
        from ${sql.table(name)} t where t.site_id = ${siteId} and t.subscriber_id = ${id}`,
      on,
    );
    if (found.length > 0) further[name] = found.map(({ data }) => data);
  }
  return further;
}

export async function readNudges(on: Executor, siteId: string, id: number): Promise<ReaderData["nudges"]> {
  const found = await rows(
    sql<{ runId: string; title: string; sentAt: Date; code: number; kinds: number[] }>`
      with place as materialized (${placesOfReader(siteId, id)})
      select r.id as "runId", m.message->>'title' as title, coalesce(w.opens_at, r.created_at) as "sentAt",
        get_byte(b.codes, p.at) as code,
        array(select k.kind from receipt_bits k where k.site_id = p.site_id and k.run_id = p.run_id and k.no = p.no
          and get_bit(k.bits, p.at) = 1 order by k.kind) as kinds
      from place p join run_batches b on b.site_id = p.site_id and b.run_id = p.run_id and b.no = p.no
        join runs r on r.site_id = p.site_id and r.id = p.run_id
        join run_messages m on m.site_id = p.site_id and m.run_id = p.run_id and m.no = b.message_no
        left join run_waves w on w.site_id = p.site_id and w.run_id = p.run_id and w.no = b.wave_no
      order by "sentAt" desc`,
    on,
  );
  const nameOf = new Map<number, string>(Object.entries(receiptKinds).map(([name, kind]) => [kind, name]));
  return found.map(({ sentAt, code, kinds, ...nudge }) => ({
    ...nudge,
    sentAt: sentAt.toISOString(),
    outcome: finalCodes[code as FinalCode]?.reason ?? classOf(code),
    reports: kinds.map((kind) => nameOf.get(kind)!),
  }));
}
