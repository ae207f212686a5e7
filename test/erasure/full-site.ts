import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { changeSite, createSite } from "../../src/tenants/sites/sites.ts";
import type { Api } from "../fixtures/app.ts";
import { type BrowserSubscription, createSubscriptions, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { insertApprovedRequest } from "../fixtures/rows/campaigns.ts";
import { changeRuns, endBatches } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { insertPerson, ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { createFullTenant, mark } from "../http/two-tenants.ts";
import { startPlanned } from "../runs/fixture.ts";

/** A tenant's site with a row in every table that can have one, and a reader with a value in every field. */
export type FullSite = {
  publisher: Publisher;
  reader: BrowserSubscription;
  /** The number of the reader's row. */
  readerNumber: number;
  ownerId: string;
  runId: string;
  siteName: string;
  topicName: string;
  /** Ids and texts that only this site's rows have. */
  marks: string[];
  /** Ends the open runs of the site. */
  completeRuns(): Promise<void>;
  recipients(): Promise<{ size: number; listed: number }[]>;
  /** Adds a site to the tenant, and returns its id. */
  addSite(name: string): Promise<string>;
  /** Adds a member who also belongs to another tenant, and returns their id. */
  addMemberOfAnotherTenant(): Promise<string>;
};

export async function createFullSite(app: App, api: Api): Promise<FullSite> {
  await sql`truncate rate_limits`.execute(app.db);
  const { publisher, ids } = await createFullTenant(app, api);
  const { tenantId, siteId } = publisher;
  const siteName = `Erasable ${newId()}`;
  await changeSites(app, { id: siteId }, { name: siteName });
  await changeSite(app, publisher.actor, { siteId, facts: [{ name: "plan", label: "Your plan", values: ["paid"] }] });
  await signIn(api, ownerEmail(tenantId));
  const { ownerId } = (await row(
    sql<{ ownerId: string }>`select user_id as "ownerId" from members where tenant_id = ${tenantId} limit 1`,
    app.db,
  ))!;
  const reader = await addReader(api, publisher, ids.topicId);
  const { id: readerNumber } = (await row(
    sql<{ id: number }>`select id from subscribers where endpoint = ${reader.endpoint}`,
    app.db,
  ))!;
  const { runId } = await startPlanned(app, publisher);
  await completeRuns(app, siteId);
  const decidedBy = await insertPerson(app.db, tenantId, `${newId()}@example.org`, "editor");
  await insertApprovedRequest(app, { campaignId: ids.campaignId, userId: ownerId, decidedBy });
  await fillTables(app, { ...ids, runId, userId: ownerId, readerNumber });
  return {
    publisher,
    reader,
    readerNumber,
    ownerId,
    runId,
    siteName,
    topicName: mark,
    marks: [ids.campaignId, ids.runId, ids.topicId, ids.feedId, reader.endpoint],
    completeRuns: () => completeRuns(app, siteId),
    recipients: () =>
      rows(
        sql<{ size: number; listed: number }>`select b.size, cardinality(r.subscriber_ids) as listed
          from run_batches b join run_recipients r using (site_id, run_id, no) where b.site_id = ${siteId}`,
        app.db,
      ),
    async addSite(name) {
      const site = await createSite(app, publisher.actor, app.db, { name, url: "https://second.example" });
      return site.siteId;
    },
    addMemberOfAnotherTenant: () => addSharedMember(app, tenantId),
  };
}

/** Adds a reader who said yes to the prompt and chose a topic and limits, and about whom the page reported a fact. */
async function addReader(api: Api, { tenantId, siteId }: Publisher, topicId: string): Promise<BrowserSubscription> {
  const reader = createSubscriptions(1)[0]!;
  const client = createReaderClient(api, siteId);
  const config = await api.call("GET", `/sdk/sites/${siteId}/config?tenant=${tenantId}`);
  await client.subscribe(reader, { consent: config.body.prompt.version, topicIds: [topicId], language: "de-AT" });
  const facts = { plan: "paid" };
  const preferences = { maxADay: 3, quietHours: null, digestAt: null, timeZone: "UTC" };
  await client.post("preferences", { endpoint: reader.endpoint, auth: reader.keys.auth, preferences, facts });
  return reader;
}

/** Ends the runs of a site as if push services had accepted every message. */
async function completeRuns(app: App, siteId: string): Promise<void> {
  await endBatches(app, { siteId });
  await changeRuns(app, { siteId }, { status: "completed" });
}

type Places = Record<"tenantId" | "siteId" | "campaignId" | "runId" | "feedId" | "userId", string> & {
  readerNumber: number;
};

/** Returns SQL for bytes without a meaning. */
function bytes(length: number): string {
  return `decode(md5(gen_random_uuid()::text) || repeat('00', ${length - 16}), 'hex')`;
}

/** Returns the values of columns as SQL, by the column's name. A name with a table applies to that table only. */
const valuesOf = (places: Places): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries({
      site_id: places.siteId,
      tenant_id: places.tenantId,
      campaign_id: places.campaignId,
      run_id: places.runId,
      feed_id: places.feedId,
      user_id: places.userId,
      subscriber_id: String(places.readerNumber),
      "muted_stories.title": "Muted",
      "welcomes.steps": "'[]'::json",
      "win_backs.after_days": "60",
      "drills.every_minutes": "60",
      "win_backs.afterwards": "keep",
      "recurring_sends.feed_id": places.feedId,
      "recurring_sends.days": "'{1}'",
      "recurring_sends.time": "07:00",
      "recurring_occurrences.recurring_send_id": `(select id from recurring_sends where site_id = '${places.siteId}' limit 1)`,
      "recurring_occurrences.outcome": "missed",
      "interactions.run_id": places.runId,
      "erased_subscribers.subscriber_id": "(7)",
      "feed_items.status": "seen",
      "subscribers_left.reason": "unsubscribed",
      "prompt_days.version": `(select version from consent_prompts where site_id = '${places.siteId}' limit 1)`,
      "consent_proofs.place": "0",
      "consent_proofs.hash": `(select left_hash(site_id, endpoint_hash) from subscribers where id = ${places.readerNumber})`,
      "receipt_bits.no": "1",
      "receipt_bits.kind": "1",
      "invitations.role": "viewer",
      "site_roles.role": "viewer",
      "provider_roles.role": "viewer",
      "invitations.invited_by": places.userId,
      "run_totals.code": "32",
      "editor_nudges.device_id": "(select id from editor_devices limit 1)",
      "receipt_bits.bits": "repeat('1', 1024)::bit(1024)",
      "gone_subscribers.endpoint_hash": `(select endpoint_hash from subscribers where id = ${places.readerNumber})`,
      "gone_subscribers.auth_hash": `(select substring(sha256(auth) for 16) from subscribers where id = ${places.readerNumber})`,
      p256dh: bytes(65),
      public_key: bytes(65),
      token_hash: bytes(32),
      code_hash: bytes(32),
    }).map(([name, value]) => [name, /[(']/.test(value) ? value : `'${value}'`]),
  ),
});

const valueOfType: Record<string, string> = {
  uuid: "gen_random_uuid()",
  text: "gen_random_uuid()::text",
  bytea: bytes(16),
  jsonb: "'{}'",
  date: "current_date",
  "timestamp with time zone": "now()",
  boolean: "false",
  interval: "interval '1 minute'",
};

type Column = { table: string; name: string; type: string; isNeeded: boolean };

/** Writes a row into each table that can name a site, tenant or person and that is still empty for them. */
async function fillTables(app: App, places: Places): Promise<void> {
  const columns = await rows(
    sql<Column>`select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
        a.attnotnull and not a.atthasdef and a.attidentity = '' as "isNeeded"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1, a.attnum`,
    app.db,
  );
  const values = valuesOf(places);
  const written = columns.filter(({ table, name, isNeeded }) => isNeeded || `${table}.${name}` in values);
  const byTable = Map.groupBy(written, ({ table }) => table);
  const order = ["second_factors", "editor_devices", "recurring_sends"];
  const names = [...byTable.keys()].filter((name) => !order.includes(name));
  for (const table of [...order, ...names]) {
    const own = byTable.get(table)!;
    const key = own.find(({ name }) => /^(site|tenant|user)_id$/.test(name));
    if (key === undefined || (await hasRow(app, table, key.name, values[key.name]!))) continue;
    const cellOf = ({ name, type }: Column) =>
      values[`${table}.${name}`] ?? values[name] ?? valueOfType[type] ?? (type.endsWith("[]") ? "'{}'" : "1");
    const into = `insert into ${table} (${own.map(({ name }) => name).join(", ")})`;
    await sql.raw(`${into} values (${own.map(cellOf).join(", ")})`).execute(app.db);
  }
}

async function hasRow(app: App, table: string, column: string, value: string): Promise<boolean> {
  const found = await row(
    sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${sql.raw(value)} limit 1`,
    app.db,
  );
  return found !== undefined;
}

async function addSharedMember(app: App, tenantId: string): Promise<string> {
  const found = await row(
    sql<{
      id: string;
    }>`insert into users (id, name, email) values (gen_random_uuid(), 'Shared', ${`${newId()}@example.org`})
      returning id`,
    app.db,
  );
  await sql`with other as (insert into tenants (id, name, plan) values (gen_random_uuid(), 'Other', 'standard') returning id)
    insert into members (id, tenant_id, user_id, role)
    select gen_random_uuid(), tenant_id, ${found!.id}, 'viewer'
    from (select id as tenant_id from other union all select ${tenantId}::uuid) as either`.execute(app.db);
  return found!.id;
}
