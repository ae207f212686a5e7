import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { AuditEventName } from "./events.ts";

/** An audit event as it is stored. */
export type NewAuditEvent = {
  tenantId: string;
  /** `actorName` of the actor, such as `user:ID`. */
  actor: string;
  event: AuditEventName;
  siteId: string | null;
  subjectId: string | null;
  details: Record<string, unknown>;
};

export async function insertAuditEvent(on: Executor, event: NewAuditEvent): Promise<void> {
  await sql`insert into audit_events (tenant_id, actor, event, site_id, subject_id, details)
    values (${event.tenantId}, ${event.actor}, ${event.event}, ${event.siteId}, ${event.subjectId},
      ${JSON.stringify(event.details)})`.execute(on);
}

/**
 * Locks and returns the audit event of an import that began within the last day. Returns undefined if there is none.
 */
export function importEventOf(
  tx: Tx,
  tenantId: string,
  importId: string,
): Promise<{ id: number; details: Record<string, unknown> } | undefined> {
  return row(
    sql<{ id: number; details: Record<string, unknown> }>`select id, details from audit_events
      where tenant_id = ${tenantId} and event = 'subscribers.imported' and details->>'importId' = ${importId}
        and at > now() - interval '1 day'
      order by id desc limit 1 for update`,
    tx,
  );
}

/** Replaces the details of an audit event, for an import that arrives in parts. */
export async function updateAuditDetails(
  tx: Tx,
  { tenantId, id, details }: { tenantId: string; id: number; details: Record<string, unknown> },
): Promise<void> {
  await sql`update audit_events set details = ${JSON.stringify(details)}
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx);
}

export type AuditEventRecord = Omit<NewAuditEvent, "tenantId"> & {
  id: number;
  at: Date;
  /**
   * The actor's present name: a person's name and address, or the name of a key or feed. Null if the actor is gone, or
   * if its kind has no names.
   */
  actorLabel: string | null;
  siteName: string | null;
  /**
   * The title of the campaign (for a run: of its campaign), or the name and address of the person. Null if it is gone,
   * or is neither.
   */
  subjectLabel: string | null;
};

/** Returns SQL for the id in an actor of this kind, such as the ID of `user:ID`. */
const actorId = (kind: string) =>
  sql.raw(`case when e.actor like '${kind}:%' then split_part(e.actor, ':', 2)::uuid end`);

/** SQL that joins the present names of the actors of `audit_events e`. `actorLabel` is the name that was found. */
export const actorJoins = sql`left join users u on u.id = ${actorId("user")}
        left join api_keys k on k.id = ${actorId("key")} and k.tenant_id = e.tenant_id
        left join lateral (
          -- The name of a deleted key comes from the events about it.
          select d.details->>'name' as name from audit_events d
          where k.id is null and d.tenant_id = e.tenant_id and d.subject_id = ${actorId("key")} and d.event like 'key.%'
          order by d.id desc limit 1) gone on true
        left join feeds f on f.id = ${actorId("feed")} and f.tenant_id = e.tenant_id`;
export const actorLabel = sql.raw("coalesce(label_of(u), k.name, gone.name, f.title, f.url)");

/**
 * The filter of the log: names of events, the person who acted, and the first and last day, in `timeZone`. Absent: no
 * limit.
 */
export type AuditFilter = {
  names?: readonly AuditEventName[] | undefined;
  userId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  timeZone: string;
};

/** Returns a page of a tenant's audit events, newest first: those of `filter` with an id below `before`. */
export function auditEventsOfTenant(
  on: Executor,
  tenantId: string,
  { names, userId, from, to, timeZone }: AuditFilter,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<AuditEventRecord[]> {
  const conditions = [
    sql`e.tenant_id = ${tenantId}`,
    ...(names === undefined ? [] : [sql`e.event = any(${[...names]})`]),
    ...(userId === undefined ? [] : [sql`e.actor = ${`user:${userId}`}`]),
    ...(from === undefined ? [] : [sql`e.at >= ${from}::date::timestamp at time zone ${timeZone}`]),
    ...(to === undefined ? [] : [sql`e.at < (${to}::date + 1)::timestamp at time zone ${timeZone}`]),
    ...(before === undefined ? [] : [sql`e.id < ${before}`]),
  ];
  return rows(
    sql<AuditEventRecord>`select e.id, e.at, e.actor, e.event, e.site_id as "siteId",
        e.subject_id as "subjectId", e.details,
        ${actorLabel} as "actorLabel", s.name as "siteName",
        coalesce(c.title, label_of(su)) as "subjectLabel"
      from audit_events e
        ${actorJoins}
        left join sites s on s.id = e.site_id
        left join runs r on r.id = e.subject_id and e.event like 'run.%'
        left join campaigns c on c.id = coalesce(r.campaign_id, e.subject_id) and c.tenant_id = e.tenant_id
        left join users su on su.id = e.subject_id
      where ${sql.join(conditions, sql` and `)} order by e.id desc limit ${limit}`,
    on,
  );
}

export type Person = { userId: string; label: string };

/**
 * Returns the people who appear as actors in a tenant's log, also former members, at most `limit`. Reads one entry of
 * the index for each actor, however many events there are.
 */
export function peopleOfLog(on: Executor, tenantId: string, limit: number): Promise<Person[]> {
  const next = (after: string) => sql`(select e.actor from audit_events e
    where e.tenant_id = ${tenantId} ${sql.raw(after)} order by e.actor limit 1)`;
  return rows(
    sql<Person>`with recursive actors as (
        select ${next("")} as actor union all
        select ${next("and e.actor > a.actor")} from actors a where a.actor is not null)
      select u.id as "userId", label_of(u) as label from actors a
        join users u on u.id = case when a.actor like 'user:%' then split_part(a.actor, ':', 2)::uuid end
      order by label limit ${limit}`,
    on,
  );
}

export type SendAuthor = { event: "campaign.sent" | "campaign.scheduled"; actor: string; actorLabel: string | null };

/** Returns who sent a campaign and who scheduled it last, as far as the audit log reaches back. */
export function authorsOfSend(on: Executor, tenantId: string, campaignId: string): Promise<SendAuthor[]> {
  return rows(
    sql<SendAuthor>`select distinct on (e.event) e.event, e.actor, ${actorLabel} as "actorLabel"
      from audit_events e
        ${actorJoins}
      where e.tenant_id = ${tenantId} and e.subject_id = ${campaignId} and e.event in ('campaign.sent', 'campaign.scheduled')
      order by e.event, e.id desc`,
    on,
  );
}

/** Deletes at most `limit` events older than `days`, the oldest first. Returns how many were deleted. */
export async function deleteOldAuditEvents(on: Executor, days: number, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from audit_events where (tenant_id, id) in (
        select tenant_id, id from audit_events where at < now() - make_interval(days => ${days}) order by at limit ${limit})
      returning id`,
    on,
  );
  return deleted.length;
}
