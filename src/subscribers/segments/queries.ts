import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { type FreezeFacts, freezeFactsColumns } from "./conditions.ts";
import { type FrozenSegment, freezeRule, type SegmentRule } from "./segment.ts";

/** Returns the facts of a site by which a rule is frozen. The site must exist. */
export async function freezeFacts(on: Executor, siteId: string): Promise<FreezeFacts> {
  return (await row(sql<FreezeFacts>`select ${freezeFactsColumns} from sites where id = ${siteId}`, on))!;
}

/**
 * Freezes a segment of a site as it is now, even a retired one. Null stays null. A segment that the site does not have
 * becomes one without readers. Locks the rule until the transaction ends, so that a send or schedule uses the rule
 * that was counted.
 */
export async function freezeSegment(
  on: Executor,
  siteId: string,
  segmentId: string | null,
): Promise<FrozenSegment | null> {
  if (segmentId === null) return null;
  const found = await row(
    sql<
      FreezeFacts & { rule: SegmentRule }
    >`select g.rule, ${freezeFactsColumns} from segments g join sites on sites.id = g.site_id
      where g.site_id = ${siteId} and g.id = ${segmentId} for share of g`,
    on,
  );
  return found === undefined ? { isEmpty: true } : freezeRule(found.rule, found);
}

/** A segment as stored. */
export type SegmentRecord = { id: string; name: string; rule: SegmentRule; isRetired: boolean };

const columns = sql.raw(`g.id, g.name, g.rule, g.retired_at is not null as "isRetired"`);

/** Returns the segments of a site by name, including retired ones. */
export function segmentsOfSite(on: Executor, siteId: string): Promise<SegmentRecord[]> {
  return rows(
    sql<SegmentRecord>`select ${columns} from segments g where g.site_id = ${siteId}
      order by g.retired_at is not null, g.name, g.id`,
    on,
  );
}

/** Returns whether a site has this segment and it is not retired. */
export async function hasSegment(on: Executor, siteId: string, segmentId: string): Promise<boolean> {
  const found = await row(
    sql`select from segments where site_id = ${siteId} and id = ${segmentId} and retired_at is null`,
    on,
  );
  return found !== undefined;
}

/** Locks the segments of a site until the transaction ends. Returns false if the tenant has no such site. */
export async function lockSegments(tx: Tx, tenantId: string, siteId: string): Promise<boolean> {
  const locked = await row(
    sql`select from sites where id = ${siteId} and tenant_id = ${tenantId} and removed_at is null for no key update`,
    tx,
  );
  return locked !== undefined;
}

/** Locks a segment that is not retired, so that no send or schedule with it can start meanwhile. */
export function lockSegment(tx: Tx, siteId: string, segmentId: string): Promise<SegmentRecord | undefined> {
  return row(
    sql<SegmentRecord>`select ${columns} from segments g
      where g.site_id = ${siteId} and g.id = ${segmentId} and g.retired_at is null for no key update`,
    tx,
  );
}

/** Counts the segments of a site, including those that were retired within the last day. */
export async function countSegmentsOfDay(on: Executor, siteId: string): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from segments
      where site_id = ${siteId} and (retired_at is null or retired_at > now() - interval '1 day')`,
    on,
  );
  return counted!.n;
}

export async function insertSegment(
  tx: Tx,
  siteId: string,
  { id, name, rule }: Pick<SegmentRecord, "id" | "name" | "rule">,
): Promise<void> {
  await sql`insert into segments (site_id, id, name, rule)
    values (${siteId}, ${id}, ${name}, ${JSON.stringify(rule)})`.execute(tx);
}

/** Updates a segment that the caller has locked. */
export async function updateSegment(tx: Tx, siteId: string, { id, name, rule, isRetired }: SegmentRecord) {
  await sql`update segments set name = ${name}, rule = ${JSON.stringify(rule)}::jsonb,
      retired_at = case when ${isRetired}::boolean then now() end
    where site_id = ${siteId} and id = ${id}`.execute(tx);
}

/** Returns whether a campaign with the segment is scheduled, waits for a second person, or is in its undo window. */
export async function isSegmentAwaited(tx: Tx, siteId: string, segmentId: string): Promise<boolean> {
  const found = await row(
    sql`select from campaigns c join planned_sends p on p.campaign_id = c.id and p.status = 'waiting'
      where c.site_id = ${siteId} and c.segment_id = ${segmentId} and c.status = 'draft'
        and (p.waits_for = 'time' or p.campaign_revision = c.revision)
        and (p.expires_at is null or p.expires_at > now()) limit 1`,
    tx,
  );
  return found !== undefined;
}

/** Returns whether a feed of the site sends to the segment. */
export async function isSegmentOfFeed(tx: Tx, siteId: string, segmentId: string): Promise<boolean> {
  const found = await row(sql`select from feeds where site_id = ${siteId} and segment_id = ${segmentId} limit 1`, tx);
  return found !== undefined;
}

/**
 * Returns whether only an owner may change the rule of a segment and the user is none. That is so if a feed with the
 * override sends to the segment and the tenant lets one person reach only `confirmAbove` people. A feed that is
 * switched off counts, because an owner who switches it on again looks at the feed, not at its segment.
 */
export async function isRuleForOwners(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
  siteId: string,
  segmentId: string,
): Promise<boolean> {
  const found = await row(
    sql`select from feeds f join tenants t on t.id = f.tenant_id
      where f.tenant_id = ${tenantId} and f.site_id = ${siteId} and f.segment_id = ${segmentId} and f.override
        and t.confirm_above is not null
        and not exists (select from members m
          where m.tenant_id = ${tenantId} and m.user_id = ${userId} and m.role = 'owner')
      limit 1`,
    tx,
  );
  return found !== undefined;
}

/**
 * Returns those of `ids` that are no topic of the site. Retired topics still count as its topics, because their
 * readers are known.
 */
export async function topicsNotOfSite(on: Executor, siteId: string, ids: string[]): Promise<Set<string>> {
  const unknown = await rows(
    sql<{ id: string }>`select wanted.id from unnest(${ids}::uuid[]) as wanted (id)
      where not exists (select from topics t where t.site_id = ${siteId} and t.id = wanted.id)`,
    on,
  );
  return new Set(unknown.map(({ id }) => id));
}
