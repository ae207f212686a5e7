import { sql } from "kysely";
import { type Executor, row } from "../../db/pool.ts";

export type HubClaim = { id: string; tenantId: string; hubUrl: string; hubTopic: string };

/** Claims a feed whose hub is to be asked: it is not due again before `againMs`, whatever comes of it. */
export function claimHub(on: Executor, againMs: number): Promise<HubClaim | undefined> {
  return row(
    sql<HubClaim>`update feeds set hub_next_at = now() + ${againMs} * interval '1 ms',
        hub_state = case when hub_lease_until > now() then hub_state else 'asking' end
      where id = (
        select id from feeds where enabled and hub_url is not null and hub_next_at <= now()
          and exists (select from sites where sites.id = feeds.site_id and removed_at is null)
        order by hub_next_at limit 1 for no key update skip locked)
      returning id, tenant_id as "tenantId", hub_url as "hubUrl", hub_topic as "hubTopic"`,
    on,
  );
}

/** The hub will not: it is asked again after `againMs`, and until then the feed is polled. */
export async function recordHubRefusal(on: Executor, id: string, againMs: number): Promise<void> {
  await sql`update feeds set hub_state = 'refused', hub_lease_until = null, hub_next_at = now() + ${againMs} * interval '1 ms'
    where id = ${id} and hub_url is not null`.execute(on);
}

/** The hub has agreed for `leaseSeconds`; it is asked again when four fifths of that have gone by. */
export async function recordHubLease(on: Executor, id: string, leaseSeconds: number): Promise<void> {
  await sql`update feeds set hub_state = 'active', hub_lease_until = now() + ${leaseSeconds} * interval '1 s',
      hub_next_at = now() + ${Math.floor(leaseSeconds * 0.8)} * interval '1 s'
    where id = ${id} and hub_url is not null`.execute(on);
}

/** The hub has told of something: it is believed again. */
export async function recordHubPush(on: Executor, id: string): Promise<void> {
  await sql`update feeds set hub_told_at = clock_timestamp() where id = ${id}`.execute(on);
}
