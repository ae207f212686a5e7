import { createHash } from "node:crypto";
import { sql } from "kysely";
import { apiKeysOfTenant } from "../../src/access/api-keys/queries.ts";
import type { App } from "../../src/app.ts";
import { devicesOfSite } from "../../src/dashboard-api/queries.ts";
import { addFeed } from "../../src/feeds/add-feed.ts";
import { newId } from "../../src/ids.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import type { Api } from "../fixtures/app.ts";
import { makePublisher, makeSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";

/** One of everything that a tenant has, by id. */
export type Ids = Record<"tenantId" | "siteId" | "topicId" | "campaignId" | "runId" | "keyId" | "feedId", string>;

/** What every name and text of the other tenant holds: no answer to somebody else may. */
export const mark = "zebra-mark";

/** Ids of nothing. */
export function makeUnknownIds(): Ids {
  const [tenantId, siteId, topicId, campaignId, runId] = [newId(), newId(), newId(), newId(), newId()];
  return { tenantId, siteId, topicId, campaignId, runId, keyId: newId(), feedId: newId() };
}

/** A tenant with one of everything: marked texts, readers, a test device, a feed, a draft, and a run that is being sent. */
export async function furnishTenant(app: App, api: Api): Promise<{ publisher: Publisher; ids: Ids; deviceId: string }> {
  const publisher = await makePublisher(app);
  const { tenantId, siteId, apiKey: key } = publisher;
  await sql`update tenants set name = ${mark} where id = ${tenantId}`.execute(app.db);
  await sql`update sites set name = ${mark} where id = ${siteId}`.execute(app.db);
  await sql`update api_keys set name = ${mark} where tenant_id = ${tenantId}`.execute(app.db);
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: mark });
  await subscribe(app, siteId, makeSubscriptions(3));
  await subscribe(app, siteId, makeSubscriptions(1), mark);
  const create = async (externalId: string) => {
    const body = { siteId, mode: "manual", url: "https://news.example/a", title: mark, body: mark, externalId };
    return (await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body })).body.campaignId as string;
  };
  const campaignId = await create(mark);
  const sent = await api.call("POST", `/v1/campaigns/${await create("sent")}/send`, {
    key,
    headers: { "idempotency-key": mark },
  });
  const { feedId } = await addFeed(app, publisher.actor, { siteId, url: `https://news.example/${mark}.xml` });
  const [device] = await devicesOfSite(app.db, siteId);
  const [apiKey] = await apiKeysOfTenant(app.db, tenantId);
  const made = { campaignId, runId: sent.body.runId as string, keyId: apiKey!.id, feedId };
  return { publisher, ids: { tenantId, siteId, topicId, ...made }, deviceId: String(device!.deviceId) };
}

/** A hash of every row of every table, but for what each request of a key or session notes of itself. */
export async function hashDatabase(app: App): Promise<string> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not in ('rate_limits', 'sessions') order by 1`.execute(app.db);
  const hash = createHash("sha256");
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) - 'last_used_at' as row from ${sql.table(name)} t order by t::text`.execute(app.db);
    hash.update(`${name}${JSON.stringify(rows)}`);
  }
  return hash.digest("hex");
}
