import { sql } from "kysely";
import { apiKeysOfTenant } from "../../src/access/api-keys/queries.ts";
import type { App } from "../../src/app.ts";
import { devicesOfSite } from "../../src/dashboard-api/queries.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { newId } from "../../src/ids.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import type { Api } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeCampaigns } from "../fixtures/rows/campaigns.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";

/** The ids of a tenant's objects, one of each kind. `sisterId` is the id of a second site. */
export type Ids = Record<
  "tenantId" | "siteId" | "sisterId" | "topicId" | "campaignId" | "groupId" | "runId" | "keyId" | "feedId",
  string
>;

/** A part of every name and text of the other tenant. No answer to the caller may contain it. */
export const mark = "zebra-mark";

/** Returns ids that do not exist. */
export function createUnknownIds(): Ids {
  const [tenantId, siteId, topicId, campaignId, runId] = [newId(), newId(), newId(), newId(), newId()];
  const others = { sisterId: newId(), groupId: newId(), keyId: newId(), feedId: newId() };
  return { tenantId, siteId, topicId, campaignId, runId, ...others };
}

/**
 * Creates a tenant with one object of each kind: subscribers, a test device, a feed, a draft and an open run. Its texts
 * are marked.
 */
export async function createFullTenant(
  app: App,
  api: Api,
): Promise<{ publisher: Publisher; ids: Ids; deviceId: string }> {
  const publisher = await createPublisher(app);
  const { tenantId, siteId, apiKey: key } = publisher;
  await changeTenants(app, { id: tenantId }, { name: mark });
  await changeSites(app, { id: siteId }, { name: mark });
  await sql`update api_keys set name = ${mark} where tenant_id = ${tenantId}`.execute(app.db);
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: mark });
  await subscribe(app, siteId, createSubscriptions(3));
  await subscribe(app, siteId, createSubscriptions(1), mark);
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
  const groupId = newId();
  await changeCampaigns(app, { id: campaignId }, { groupId });
  const sister = { name: mark, url: "https://sister.example" };
  const { siteId: sisterId } = await createSite(app, publisher.actor, app.db, sister);
  const made = { sisterId, campaignId, groupId, runId: sent.body.runId as string, keyId: apiKey!.id, feedId };
  return { publisher, ids: { tenantId, siteId, topicId, ...made }, deviceId: String(device!.deviceId) };
}

/** Returns a hash of all rows of each table. It leaves out what any request with a key or session records. */
export async function hashDatabase(app: App): Promise<string> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not in ('rate_limits', 'sessions') order by 1`.execute(app.db);
  const hashes = tables.rows.map(
    ({
      name,
    }) => sql`select ${sql.lit(name)} as name, md5(string_agg((to_jsonb(t) - 'last_used_at')::text, ',' order by t::text)) as hash
      from ${sql.table(name)} t`,
  );
  // This is one statement because there are dozens of tables, and the tests of isolation call this function hundreds of
  // times.
  const { rows } = await sql`${sql.join(hashes, sql` union all `)} order by name`.execute(app.db);
  return JSON.stringify(rows);
}
