import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import { expects, parseInput } from "../input.ts";
import { deleteKept } from "./gone-queries.ts";
import { countLeft } from "./left-days.ts";
import { noteLeft } from "./queries.ts";
import { endpointHref, hashEndpoint, readAuth } from "./subscription.ts";

/** A subscription and its secret. A browser that has both is the browser of its reader. */
export const proofInput = z.strictObject(
  { endpoint: z.string(expects("a string")), auth: z.string(expects("a string")) },
  expects("a JSON object"),
);

/**
 * Deletes all that is known of a subscription of a site, if `auth` is its secret, and also what is kept of readers who
 * are gone. The next maintenance (`eraseTraces`) deletes its number from the lists of recipients. Only a hash stays,
 * so that an import of an old list does not bring the reader back. The caller does not learn whether the subscription
 * existed. Throws `validation_failed`.
 */
export async function eraseSubscriber(app: App, input: { siteId: string; body: unknown }): Promise<void> {
  const wanted = parseInput(proofInput, input.body);
  const href = endpointHref(wanted.endpoint);
  const auth = readAuth(wanted.auth);
  if (href === undefined || auth === undefined) return;
  const address = { endpointHash: hashEndpoint(href), auth };
  await app.db.transaction().execute(async (tx) => {
    await deleteAndNote(tx, input.siteId, address);
    await deleteKept(tx, input.siteId, address);
  });
}

async function deleteAndNote(
  on: Executor,
  siteId: string,
  { endpointHash, auth }: { endpointHash: Buffer; auth: Buffer },
): Promise<void> {
  await sql`with deleted as (
      delete from subscribers where site_id = ${siteId} and endpoint_hash = ${endpointHash} and auth = ${auth}
      returning site_id, id || merged_ids as ids, endpoint_hash, is_test),
    counted as (${countLeft("unsubscribed")}),
    noted as (${noteLeft(sql`select site_id, endpoint_hash from deleted`)})
    insert into erased_subscribers (site_id, subscriber_id) select site_id, unnest(ids) from deleted on conflict do nothing`.execute(
    on,
  );
}
