import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import type { AuditEvent } from "./events.ts";

export type NewAuditEvent = {
  tenantId: string;
  actor: string;
  deed: AuditEvent;
  siteId: string | null;
  subjectId: string | null;
  details: Record<string, unknown>;
};

export async function insertAuditEvent(on: Executor, entry: NewAuditEvent): Promise<void> {
  await sql`insert into audit_entries (tenant_id, actor, deed, site_id, subject_id, details)
    values (${entry.tenantId}, ${entry.actor}, ${entry.deed}, ${entry.siteId}, ${entry.subjectId},
      ${JSON.stringify(entry.details)})`.execute(on);
}

export type AuditEventRecord = Omit<NewAuditEvent, "tenantId"> & {
  id: number;
  at: Date;
  /** As it is called now: a person's address, a key's or a feed's name. Null: it is gone, or needs no name. */
  actorLabel: string | null;
  siteName: string | null;
  /** The title of a campaign or of a run's, or the address of a person. */
  subjectLabel: string | null;
};

/** The id behind `user:`, `key:` and `feed:`. */
const actorId = (kind: string) =>
  sql.raw(`case when e.actor like '${kind}:%' then split_part(e.actor, ':', 2)::uuid end`);

/** A page of a tenant's log, the newest first, from behind the id `before`; `deeds` undefined: all of them. */
export function auditEventsOfTenant(
  on: Executor,
  tenantId: string,
  page: { deeds: readonly AuditEvent[] | undefined; before: number | undefined; limit: number },
): Promise<AuditEventRecord[]> {
  const conditions = [
    sql`e.tenant_id = ${tenantId}`,
    ...(page.deeds === undefined ? [] : [sql`e.deed = any(${[...page.deeds]})`]),
    ...(page.before === undefined ? [] : [sql`e.id < ${page.before}`]),
  ];
  return rows(
    sql<AuditEventRecord>`select e.id, e.at, e.actor, e.deed, e.site_id as "siteId", e.subject_id as "subjectId", e.details,
        coalesce(u.email, k.name, gone.name, f.title, f.url) as "actorLabel", s.name as "siteName",
        coalesce(c.title, su.email) as "subjectLabel"
      from audit_entries e
        left join users u on u.id = ${actorId("user")}
        left join api_keys k on k.id = ${actorId("key")} and k.tenant_id = e.tenant_id
        left join lateral (
          -- A key that was deleted is known by what was written down of it.
          select d.details->>'name' as name from audit_entries d
          where k.id is null and d.tenant_id = e.tenant_id and d.subject_id = ${actorId("key")} and d.deed like 'key.%'
          order by d.id desc limit 1) gone on true
        left join feeds f on f.id = ${actorId("feed")} and f.tenant_id = e.tenant_id
        left join sites s on s.id = e.site_id
        left join runs r on r.id = e.subject_id and e.deed like 'run.%'
        left join campaigns c on c.id = coalesce(r.campaign_id, e.subject_id) and c.tenant_id = e.tenant_id
        left join users su on su.id = e.subject_id
      where ${sql.join(conditions, sql` and `)} order by e.id desc limit ${page.limit}`,
    on,
  );
}

/** Removes some of the entries that are older than `days`. Returns how many. */
export async function deleteOldAuditEvents(on: Executor, days: number, limit: number): Promise<number> {
  const removed = await rows(
    sql`delete from audit_entries where (tenant_id, id) in (
        select tenant_id, id from audit_entries where at < now() - make_interval(days => ${days}) order by at limit ${limit})
      returning id`,
    on,
  );
  return removed.length;
}
