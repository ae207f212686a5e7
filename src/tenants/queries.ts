import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { Site, SiteChange } from "./site.ts";
import type { Tenant, TenantChange } from "./tenant.ts";

const tenantColumns = sql.raw(`id, name, plan, paused_at as "pausedAt", dpa_accepted_at as "dpaAcceptedAt",
  dpa_version as "dpaVersion", dpa_accepted_by as "dpaAcceptedBy",
  confirm_above as "confirmAbove"`);
const siteColumns =
  sql.raw(`id, tenant_id as "tenantId", name, url, paused_at as "pausedAt", on_uncertain as "onUncertain",
  vapid_public_key as "vapidPublicKey", time_zone as "timeZone", freshness_hours as "freshnessHours",
  daily_cap as "dailyCap", min_gap_minutes as "minGapMinutes", origins, icon_url as "iconUrl", prompt,
  json_build_object('source', utm_source, 'medium', utm_medium, 'campaign', utm_campaign) as utm,
  link_mode as "linkMode", dormant_months as "dormantMonths",
  case when quiet_from is not null
    then json_build_object('from', left(quiet_from::text, 5), 'until', left(quiet_until::text, 5)) end as "quietHours"`);

export async function insertTenant(
  on: Executor,
  tenant: { id: string; name: string; plan: string; dpaVersion: string | null },
): Promise<void> {
  await sql`insert into tenants (id, name, plan, dpa_version, dpa_accepted_at)
    values (${tenant.id}, ${tenant.name}, ${tenant.plan}, ${tenant.dpaVersion},
      case when ${tenant.dpaVersion}::text is not null then now() end)`.execute(on);
}

export function tenantById(on: Executor, id: string): Promise<Tenant | undefined> {
  return row(sql<Tenant>`select ${tenantColumns} from tenants where id = ${id}`, on);
}

/** The tenant, which nobody else changes until the transaction ends. */
export function tenantLocked(tx: Tx, id: string): Promise<Tenant | undefined> {
  return row(sql<Tenant>`select ${tenantColumns} from tenants where id = ${id} for no key update`, tx);
}

/**
 * Changes what is given, leaves the rest. A pause that stands keeps its first time, and so does an acceptance of the
 * same text. `acceptance`: the text that is accepted by this change, and by whom.
 */
export function updateTenant(
  on: Executor,
  id: string,
  change: TenantChange,
  acceptance: { version: string; by: string },
): Promise<Tenant | undefined> {
  const { name = null, plan = null, paused = null, dpaAccepted = null, confirmAbove } = change;
  const { version, by } = acceptance;
  // Right sides see the row as it was: whether the accepted text stays is judged alike three times.
  const accepted = (stands: string, anew: ReturnType<typeof sql>) =>
    sql`case ${dpaAccepted}::boolean when false then null
      when true then case when dpa_accepted_at is not null and dpa_version is not distinct from ${version}
        then ${sql.raw(stands)} else ${anew} end
      else ${sql.raw(stands)} end`;
  return row(
    sql<Tenant>`update tenants set
        name = coalesce(${name}, name),
        confirm_above = ${confirmAbove === undefined ? sql`confirm_above` : confirmAbove},
        plan = coalesce(${plan}, plan),
        paused_at = case ${paused}::boolean when true then coalesce(paused_at, now()) when false then null else paused_at end,
        dpa_accepted_at = ${accepted("dpa_accepted_at", sql`now()`)},
        dpa_version = ${accepted("dpa_version", sql`${version}`)},
        dpa_accepted_by = ${accepted("dpa_accepted_by", sql`${by}`)}
      where id = ${id} returning ${tenantColumns}`,
    on,
  );
}

export async function insertSite(
  on: Executor,
  site: {
    id: string;
    tenantId: string;
    name: string;
    url: string;
    vapidPublicKey: Buffer;
    vapidPrivateKeySealed: Buffer;
  },
): Promise<void> {
  await sql`insert into sites (id, tenant_id, name, url, vapid_public_key, vapid_private_key_sealed)
    values (${site.id}, ${site.tenantId}, ${site.name}, ${site.url}, ${site.vapidPublicKey}, ${site.vapidPrivateKeySealed})`.execute(
    on,
  );
}

export function siteById(on: Executor, id: string): Promise<Site | undefined> {
  return row(sql<Site>`select ${siteColumns} from sites where id = ${id} and removed_at is null`, on);
}

/** The site if it is this tenant's: another tenant's is as unknown as one that does not exist. */
export function siteOfTenant(on: Executor, tenantId: string, id: string): Promise<Site | undefined> {
  return row(
    sql<Site>`select ${siteColumns} from sites where id = ${id} and tenant_id = ${tenantId} and removed_at is null`,
    on,
  );
}

/**
 * The tenant's site, to which nobody adds a subscriber until the transaction ends: a new one locks its site's row, as its
 * foreign key asks.
 */
export function siteLocked(tx: Tx, tenantId: string, id: string): Promise<Site | undefined> {
  return row(
    sql<Site>`select ${siteColumns} from sites where id = ${id} and tenant_id = ${tenantId} and removed_at is null
      for update`,
    tx,
  );
}

export async function updateVapidPair(
  tx: Tx,
  siteId: string,
  pair: { publicKey: Buffer; privateKeySealed: Buffer },
): Promise<void> {
  await sql`update sites set vapid_public_key = ${pair.publicKey}, vapid_private_key_sealed = ${pair.privateKeySealed}
    where id = ${siteId}`.execute(tx);
}

/**
 * Changes what is given of a tenant's site, leaves the rest; null takes a limit away. A pause that stands keeps its
 * first time.
 */
export function updateSite(on: Executor, tenantId: string, id: string, change: SiteChange): Promise<Site | undefined> {
  const { name = null, paused = null, timeZone = null, onUncertain = null, freshnessHours = null } = change;
  const { dailyCap, minGapMinutes, quietHours, iconUrl, dormantMonths } = change;
  const { origins = null, utm = {}, prompt = {}, linkMode = null } = change;
  return row(
    sql<Site>`update sites set
        name = coalesce(${name}, name),
        paused_at = case ${paused}::boolean when true then coalesce(paused_at, now()) when false then null else paused_at end,
        time_zone = coalesce(${timeZone}, time_zone),
        on_uncertain = coalesce(${onUncertain}, on_uncertain),
        freshness_hours = coalesce(${freshnessHours}, freshness_hours),
        daily_cap = ${dailyCap === undefined ? sql`daily_cap` : dailyCap},
        min_gap_minutes = ${minGapMinutes === undefined ? sql`min_gap_minutes` : minGapMinutes},
        quiet_from = ${quietHours === undefined ? sql`quiet_from` : (quietHours?.from ?? null)},
        quiet_until = ${quietHours === undefined ? sql`quiet_until` : (quietHours?.until ?? null)},
        origins = coalesce(${origins}, origins),
        icon_url = ${iconUrl === undefined ? sql`icon_url` : iconUrl},
        utm_source = ${utm.source === undefined ? sql`utm_source` : utm.source},
        utm_medium = ${utm.medium === undefined ? sql`utm_medium` : utm.medium},
        utm_campaign = ${utm.campaign === undefined ? sql`utm_campaign` : utm.campaign},
        prompt = jsonb_strip_nulls(prompt || ${JSON.stringify(prompt)}::jsonb),
        link_mode = coalesce(${linkMode}, link_mode),
        dormant_months = ${dormantMonths === undefined ? sql`dormant_months` : dormantMonths}
      where id = ${id} and tenant_id = ${tenantId} and removed_at is null returning ${siteColumns}`,
    on,
  );
}

/** Returns whether there was such a site. */
export async function markSiteRemoved(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const removed = await row(
    sql`update sites set removed_at = now() where id = ${id} and tenant_id = ${tenantId} and removed_at is null returning id`,
    on,
  );
  return removed !== undefined;
}

/** What a reader's browser is told of a site, of whatever tenant. */
export type ReaderSite = Pick<Site, "tenantId" | "name" | "vapidPublicKey" | "prompt" | "linkMode"> & {
  topics: { topicId: string; name: string }[];
};

export function readerSite(on: Executor, siteId: string): Promise<ReaderSite | undefined> {
  return row(
    sql<ReaderSite>`select s.tenant_id as "tenantId", s.name, s.vapid_public_key as "vapidPublicKey", s.prompt,
        s.link_mode as "linkMode",
        (select coalesce(json_agg(json_build_object('topicId', t.id, 'name', t.name) order by t.name, t.id), '[]')
          from topics t where t.site_id = s.id and t.retired_at is null) as topics
      from sites s where s.id = ${siteId} and s.removed_at is null`,
    on,
  );
}

/** Where the pages of a site, or with null of every site, come from. */
export function siteAddresses(on: Executor, siteId: string | null): Promise<{ url: string; origins: string[] }[]> {
  return rows(
    sql<{ url: string; origins: string[] }>`select url, origins from sites
      where removed_at is null and ${siteId === null ? sql`true` : sql`id = ${siteId}`}`,
    on,
  );
}

/** The site's private VAPID key, sealed; and an owner's address for the VAPID `sub`. */
export function vapidOfSite(
  on: Executor,
  siteId: string,
): Promise<{ publicKey: Buffer; privateKeySealed: Buffer; ownerEmail: string | null } | undefined> {
  return row(
    sql<{ publicKey: Buffer; privateKeySealed: Buffer; ownerEmail: string | null }>`
      select s.vapid_public_key as "publicKey", s.vapid_private_key_sealed as "privateKeySealed",
        (select u.email from members m join users u on u.id = m.user_id
          where m.tenant_id = s.tenant_id and m.role = 'owner' order by m.created_at limit 1) as "ownerEmail"
      from sites s where s.id = ${siteId}`,
    on,
  );
}

/** Returns the topic's id: another where a retired one has the name, which is back then. Undefined: the name is taken. */
export async function insertTopic(
  on: Executor,
  topic: { siteId: string; id: string; name: string },
): Promise<string | undefined> {
  const inserted = await row(
    sql<{ id: string }>`insert into topics (site_id, id, name) values (${topic.siteId}, ${topic.id}, ${topic.name})
      on conflict (site_id, name) do update set retired_at = null where topics.retired_at is not null returning id`,
    on,
  );
  return inserted?.id;
}

/** Whoever names a topic of this site in another transaction waits for this one. False: the tenant has no such site. */
export async function lockTopics(on: Executor, tenantId: string, siteId: string): Promise<boolean> {
  const site = sql`select from sites where id = ${siteId} and tenant_id = ${tenantId} and removed_at is null
    for no key update`;
  return (await rows(site, on)).length > 0;
}

type TopicChange = { name?: string | undefined; retired?: true | undefined };

/** Changes a topic that is not retired. Returns its name as it is now; `taken` where another of the site has that name. */
export async function updateTopic(
  on: Executor,
  tenantId: string,
  { siteId, topicId }: { siteId: string; topicId: string },
  { name, retired }: TopicChange,
): Promise<{ name: string } | "missing" | "taken"> {
  if (!(await lockTopics(on, tenantId, siteId))) return "missing";
  const isTaken = sql`select from topics where site_id = ${siteId} and name = ${name ?? null} and id <> ${topicId}`;
  if ((await rows(isTaken, on)).length > 0) return "taken";
  const changed = await row(
    sql<{ name: string }>`update topics t set name = coalesce(${name ?? null}, t.name),
        retired_at = case when ${retired === true} then now() end
      where t.site_id = ${siteId} and t.id = ${topicId} and t.retired_at is null returning t.name`,
    on,
  );
  return changed ?? "missing";
}

/** The sealed VAPID key of the oldest site, or undefined where there is no site. */
export function anySealedKey(on: Executor): Promise<{ siteId: string; key: Buffer } | undefined> {
  return row(
    sql<{
      siteId: string;
      key: Buffer;
    }>`select id as "siteId", vapid_private_key_sealed as key from sites order by id limit 1`,
    on,
  );
}

/** Whether there is a tenant at all. */
export async function hasTenant(on: Executor): Promise<boolean> {
  const found = await row(sql<{ found: boolean }>`select exists (select from tenants) as found`, on);
  return found!.found;
}

/** Lets nobody else make a tenant until the transaction ends: of two first visits at once one is the first. */
export async function lockTenants(tx: Tx): Promise<void> {
  await sql`lock table tenants in share row exclusive mode`.execute(tx);
}

/** Who has accepted the agreement when the tenant was made, once it is known who that is. */
export async function recordAcceptance(on: Executor, tenantId: string, by: string): Promise<void> {
  await sql`update tenants set dpa_accepted_by = ${by} where id = ${tenantId} and dpa_accepted_at is not null`.execute(
    on,
  );
}

export type WorkspaceSite = { siteId: string; tenantId: string; name: string; url: string; timeZone: string };

/** The sites of several tenants, the oldest first. */
export function sitesOfTenants(on: Executor, tenantIds: string[]): Promise<WorkspaceSite[]> {
  return rows(
    sql<WorkspaceSite>`select id as "siteId", tenant_id as "tenantId", name, url, time_zone as "timeZone"
      from sites where tenant_id = any(${tenantIds}::uuid[]) and removed_at is null order by id`,
    on,
  );
}
