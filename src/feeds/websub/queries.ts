import { sql } from "kysely";
import { type Executor, row } from "../../db/pool.ts";
import type { Concern, Full } from "../fair-work.ts";
import { hostOf } from "../queries.ts";

/** A feed whose hub is due to be asked for a subscription. */
export type HubClaim = Concern & { id: string; hubUrl: string; hubTopic: string };

/**
 * Claims a feed whose hub is due to be asked for a subscription, for `leaseMs`. Its state is `asking` until the hub
 * confirms or refuses, even while the lease of an earlier subscription still holds. Returns undefined if no feed is
 * due that does not belong to `full`.
 */
export function claimHub(on: Executor, leaseMs: number, full: Full): Promise<HubClaim | undefined> {
  return row(
    sql<HubClaim>`update feeds set hub_next_at = now() + ${leaseMs} * interval '1 ms',
        hub_state = 'asking'
      where id = (
        select id from feeds where enabled and hub_url is not null and hub_next_at <= now()
          and exists (select from sites where sites.id = feeds.site_id and removed_at is null)
          and tenant_id <> all(${full.tenantIds}::uuid[]) and ${hostOf("hub_url")} <> all(${full.hosts}::text[])
        order by hub_next_at limit 1 for no key update skip locked)
      returning id, tenant_id as "tenantId", hub_url as "hubUrl", hub_topic as "hubTopic", ${hostOf("hub_url")} as host,
        false as "isSlow"`,
    on,
  );
}

/** Delays the next request to a hub until `afterMs` from now, if the hub is being asked or has not confirmed yet. */
export async function holdHub(on: Executor, id: string, afterMs: number): Promise<void> {
  await sql`update feeds set hub_next_at = now() + ${afterMs} * interval '1 ms'
    where id = ${id} and hub_state = 'asking'`.execute(on);
}

/**
 * Records that the hub refuses the subscription. It is asked again after `againMs`. Until then the feed is only
 * polled.
 */
export async function recordHubRefusal(on: Executor, id: string, againMs: number): Promise<void> {
  await sql`update feeds set hub_state = 'refused', hub_lease_until = null, hub_next_at = now() + ${againMs} * interval '1 ms'
    where id = ${id} and hub_url is not null`.execute(on);
}

/**
 * Records that the hub has granted the subscription to `topic` for `leaseSeconds`. The subscription is renewed after
 * four fifths of that time. Returns false if the hub was not asked for one, or has already granted it.
 */
export async function recordHubLease(
  on: Executor,
  id: string,
  { topic, leaseSeconds }: { topic: string; leaseSeconds: number },
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update feeds set hub_state = 'active', hub_lease_until = now() + ${leaseSeconds} * interval '1 s',
      hub_next_at = now() + ${Math.floor(leaseSeconds * 0.8)} * interval '1 s'
    where id = ${id} and enabled and hub_topic = ${topic} and hub_state = 'asking'`.execute(on);
  return numAffectedRows === 1n;
}

/** Records a push of the hub. From then on polls are rare again, even if the hub missed an item before. */
export async function recordHubPush(on: Executor, id: string): Promise<void> {
  // now() would be the start of the transaction, but a poll may have recorded a miss while this one waited for the
  // feed's lock.
  await sql`update feeds set hub_notified_at = clock_timestamp() where id = ${id}`.execute(on);
}
