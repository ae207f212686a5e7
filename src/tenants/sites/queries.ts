import { sql } from "kysely";
import { type Executor, row, type Tx } from "../../db/pool.ts";
import { type CampaignClass, type ClassRule, type ClassRules, classRulesOf } from "./campaign-classes.ts";
import { promptWithComparison } from "./other-prompt.ts";
import { promptWithLanguages } from "./prompt-languages.ts";
import { isRemovedForGood } from "./removal-queries.ts";
import type { Site, SiteChange } from "./site.ts";

const siteColumns =
  sql.raw(`id, tenant_id as "tenantId", name, url, paused_at as "pausedAt", on_uncertain as "onUncertain",
  screen_goal_seconds as "screenGoalSeconds",
  vapid_public_key as "vapidPublicKey", time_zone as "timeZone", freshness_hours as "freshnessHours",
  daily_limit as "dailyLimit", min_gap_minutes as "minGapMinutes", origins, icon_url as "iconUrl", prompt,
  json_build_object('source', utm_source, 'medium', utm_medium, 'campaign', utm_campaign) as utm,
  link_mode as "linkMode", receipts, dormant_months as "dormantMonths", return_days as "returnDays", preferences_url as "preferencesUrl", facts,
  migrate_subscriptions as "migrateSubscriptions", undated_stories as "undatedStories", classes,
  case when quiet_from is not null
    then json_build_object('from', left(quiet_from::text, 5), 'until', left(quiet_until::text, 5)) end as "quietHours"`);

/** SQL: the topics of site `s` that readers can choose, by name, as JSON. */
export const topicsOfSite =
  sql.raw(`(select coalesce(json_agg(json_build_object('topicId', t.id, 'name', t.name) order by t.name, t.id), '[]')
    from topics t where t.site_id = s.id and t.retired_at is null)`);

/**
 * Returns the origin of a site's URL as browsers write it. Returns the text itself if it is no URL: only a stranger's
 * file has such a text.
 */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
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
  await sql`insert into sites (id, tenant_id, name, url, origin, vapid_public_key, vapid_private_key_sealed, time_zone)
    values (${site.id}, ${site.tenantId}, ${site.name}, ${site.url}, ${originOf(site.url)}, ${site.vapidPublicKey},
      ${site.vapidPrivateKeySealed}, coalesce((select time_zone from sites where tenant_id = ${site.tenantId}
        order by created_at desc limit 1), 'UTC'))`.execute(on);
}

/**
 * Stores what a check of the installation found on a site. Null means that the check could not tell. Writes only
 * changes, because a write also notifies open pages.
 */
export async function noteInstallation(
  on: Executor,
  siteId: string,
  { line, worker }: { line: boolean | null; worker: boolean | null },
): Promise<void> {
  await sql`update sites set line_found = coalesce(${line}, line_found), worker_found = coalesce(${worker}, worker_found)
    where id = ${siteId} and (line_found <> ${line} or worker_found <> ${worker})`.execute(on);
}

/**
 * Counts the sites of a tenant, including removed sites that can be restored. Their readers are kept, so adding and
 * removing sites in turn must have a limit.
 */
export async function countSites(on: Executor, tenantId: string): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from sites
      where tenant_id = ${tenantId} and not ${isRemovedForGood("sites")}`,
    on,
  );
  return counted!.n;
}

/** Returns the site, of any tenant; undefined if it does not exist or was removed. */
export function siteById(on: Executor, id: string): Promise<Site | undefined> {
  return row(sql<Site>`select ${siteColumns} from sites where id = ${id} and removed_at is null`, on);
}

/**
 * Returns the time zone of an existing site, even of a removed one. Locks the time zone until the transaction ends,
 * so that a result computed with it is not out of date before it is stored.
 */
export async function lockTimeZone(tx: Tx, id: string): Promise<string> {
  const site = await row(
    sql<{ timeZone: string }>`select time_zone as "timeZone" from sites where id = ${id} for share`,
    tx,
  );
  return site!.timeZone;
}

/** Returns the site; undefined if it does not exist, was removed or belongs to another tenant. */
export function siteOfTenant(on: Executor, tenantId: string, id: string): Promise<Site | undefined> {
  return row(
    sql<Site>`select ${siteColumns} from sites where id = ${id} and tenant_id = ${tenantId} and removed_at is null`,
    on,
  );
}

/**
 * Returns the tenant's site and locks its row `for update`. Inserts of subscribers wait until the transaction ends,
 * because their foreign key locks the same row.
 */
export function siteLocked(tx: Tx, tenantId: string, id: string): Promise<Site | undefined> {
  return row(
    sql<Site>`select ${siteColumns} from sites where id = ${id} and tenant_id = ${tenantId} and removed_at is null
      for update`,
    tx,
  );
}

/** Changes the given fields of a tenant's site. Null removes a limit. A second pause keeps the time of the first. */
export function updateSite(on: Executor, tenantId: string, id: string, change: SiteChange): Promise<Site | undefined> {
  const { name = null, paused = null, timeZone = null, onUncertain = null, freshnessHours = null } = change;
  const {
    dailyLimit,
    minGapMinutes,
    quietHours,
    iconUrl,
    dormantMonths,
    returnDays,
    preferencesUrl,
    migrateSubscriptions,
    screenGoalSeconds,
    facts,
  } = change;
  const { origins = null, utm = {}, prompt = {}, linkMode = null, undatedStories = null, receipts = null } = change;
  const { languages, ...promptItself } = prompt;
  const promptChanged = promptWithLanguages(sql`prompt || ${JSON.stringify(promptItself)}::jsonb`, languages);
  const { classes = {} } = change;
  const factsGiven = facts === undefined ? null : JSON.stringify(facts);
  return row(
    sql<Site>`update sites set
        name = coalesce(${name}, name),
        paused_at = case ${paused}::boolean when true then coalesce(paused_at, now()) when false then null else paused_at end,
        quarantined_at = case when ${paused}::boolean is false then null else quarantined_at end,
        time_zone = coalesce(${timeZone}, time_zone),
        on_uncertain = coalesce(${onUncertain}, on_uncertain),
        screen_goal_seconds = ${screenGoalSeconds === undefined ? sql`screen_goal_seconds` : screenGoalSeconds},
        freshness_hours = coalesce(${freshnessHours}, freshness_hours),
        daily_limit = ${dailyLimit === undefined ? sql`daily_limit` : dailyLimit},
        min_gap_minutes = ${minGapMinutes === undefined ? sql`min_gap_minutes` : minGapMinutes},
        quiet_from = ${quietHours === undefined ? sql`quiet_from` : (quietHours?.from ?? null)},
        quiet_until = ${quietHours === undefined ? sql`quiet_until` : (quietHours?.until ?? null)},
        undated_stories = coalesce(${undatedStories}, undated_stories),
        origins = coalesce(${origins}, origins),
        icon_url = ${iconUrl === undefined ? sql`icon_url` : iconUrl},
        utm_source = ${utm.source === undefined ? sql`utm_source` : utm.source},
        utm_medium = ${utm.medium === undefined ? sql`utm_medium` : utm.medium},
        utm_campaign = ${utm.campaign === undefined ? sql`utm_campaign` : utm.campaign},
        prompt = ${promptWithComparison(promptChanged)},
        classes = classes || ${JSON.stringify(classes)}::jsonb,
        link_mode = coalesce(${linkMode}, link_mode),
        receipts = coalesce(${receipts}, receipts),
        clicks_known_from = case when ${receipts}::text = 'full' and receipts <> 'full'
          then (now() at time zone 'UTC')::date else clicks_known_from end,
        dormant_months = ${dormantMonths === undefined ? sql`dormant_months` : dormantMonths},
        return_days = ${returnDays === undefined ? sql`return_days` : returnDays},
        facts = coalesce(${factsGiven}::jsonb, facts),
        facts_cut_at = case when facts <> '[]' and facts <> ${factsGiven}::jsonb then now() else facts_cut_at end,
        preferences_url = ${preferencesUrl === undefined ? sql`preferences_url` : preferencesUrl},
        migrate_subscriptions = ${migrateSubscriptions === undefined ? sql`migrate_subscriptions` : sql`${migrateSubscriptions && JSON.stringify(migrateSubscriptions)}::jsonb`}
      where id = ${id} and tenant_id = ${tenantId} and removed_at is null returning ${siteColumns}`,
    on,
  );
}

/** The public part of a site, for its readers' browsers. */
export type ReaderSite = Pick<
  Site,
  "tenantId" | "name" | "vapidPublicKey" | "prompt" | "linkMode" | "preferencesUrl" | "facts" | "migrateSubscriptions"
> & {
  topics: { topicId: string; name: string }[];
};

export function readerSite(on: Executor, siteId: string): Promise<ReaderSite | undefined> {
  return row(
    sql<ReaderSite>`select s.tenant_id as "tenantId", s.name, s.vapid_public_key as "vapidPublicKey", s.prompt,
        s.link_mode as "linkMode", s.preferences_url as "preferencesUrl", s.facts, s.migrate_subscriptions as "migrateSubscriptions", ${topicsOfSite} as topics
      from sites s where s.id = ${siteId} and s.removed_at is null`,
    on,
  );
}

export type SiteAddresses = { tenantId: string; url: string; origins: string[] };

/**
 * Returns the tenant, the URL and the further origins of a site; undefined if there is none, or if it was removed and
 * `alsoRemoved` is false.
 */
export function siteAddresses(on: Executor, siteId: string, alsoRemoved: boolean): Promise<SiteAddresses | undefined> {
  return row(
    sql<SiteAddresses>`select tenant_id as "tenantId", url, origins from sites
      where (removed_at is null or ${alsoRemoved}) and id = ${siteId}`,
    on,
  );
}

/**
 * Returns whether any site has this origin. A removed site does not count, even while it can be restored, because
 * reports of its readers are refused. The query takes two index look-ups, however many sites there are. With
 * `exists`, the planner expects to find a site early, and reads all sites for an origin that none has (3,000 sites,
 * PostgreSQL 18).
 */
export async function isOriginOfAnySite(on: Executor, origin: string): Promise<boolean> {
  const found = await row(
    sql<{ n: number }>`select (select count(*) from sites where origin = ${origin} and removed_at is null)
      + (select count(*) from sites where origins @> array[${origin}::text] and removed_at is null) as n`,
    on,
  );
  return found!.n > 0;
}

/** Returns a site's rule for a class of campaigns, with defaults for everything that it does not set. */
export async function ruleOfClass(
  on: Executor,
  { siteId, class: ofClass }: { siteId: string; class: CampaignClass },
): Promise<ClassRule> {
  const found = await row(sql<{ classes: Partial<ClassRules> }>`select classes from sites where id = ${siteId}`, on);
  return classRulesOf(found!.classes)[ofClass];
}
