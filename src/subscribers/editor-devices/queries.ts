import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import type { Subscription } from "../subscription.ts";

export type DeviceOwner = { tenantId: string; siteId: string; userId: string };

/** SQL condition: device `d` belongs to a member who may still send, at a site that was not removed. */
const isOfEditor = sql.raw(`exists (select from site_members m join sites s on s.id = m.site_id
  where m.user_id = d.user_id and s.id = d.site_id and m.role in ('editor', 'owner') and s.removed_at is null)`);

/**
 * Inserts a device, or gives the site's device with this endpoint to this member and updates its keys. Returns its id.
 */
export async function upsertDevice(
  on: Executor,
  id: string,
  { tenantId, siteId, userId }: DeviceOwner,
  { endpoint, endpointHash, p256dh, auth, pushService }: Subscription,
): Promise<string> {
  const found = await row(
    sql<{
      id: string;
    }>`insert into editor_devices (id, tenant_id, site_id, user_id, endpoint, endpoint_hash, p256dh, auth, push_service)
      values (${id}, ${tenantId}, ${siteId}, ${userId}, ${endpoint}, ${endpointHash}, ${p256dh}, ${auth}, ${pushService})
      on conflict (site_id, endpoint_hash) do update
        set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth
      returning id`,
    on,
  );
  return found!.id;
}

/** Deletes a member's devices at a site, except for the newest `kept`. */
export async function deleteOldestDevices(on: Executor, { siteId, userId }: DeviceOwner, kept: number): Promise<void> {
  await sql`delete from editor_devices where id in (select id from editor_devices
    where site_id = ${siteId} and user_id = ${userId} order by created_at desc, id offset ${kept})`.execute(on);
}

export function devicesOfMember(
  on: Executor,
  { siteId, userId }: DeviceOwner,
): Promise<{ id: string; createdAt: Date }[]> {
  return rows(
    sql<{ id: string; createdAt: Date }>`select id, created_at as "createdAt" from editor_devices
      where site_id = ${siteId} and user_id = ${userId} order by created_at, id`,
    on,
  );
}

/** Deletes a device of a member. Returns false if the member has no device with this id at this site. */
export async function deleteDeviceOfMember(
  on: Executor,
  { siteId, userId }: DeviceOwner,
  id: string,
): Promise<boolean> {
  const deleted = await row(
    sql`delete from editor_devices where id = ${id} and site_id = ${siteId} and user_id = ${userId} returning id`,
    on,
  );
  return deleted !== undefined;
}

/** Deletes at most `limit` devices whose members are no longer editors of the site. Returns how many it deleted. */
export async function deleteForeignDevices(on: Executor, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from editor_devices where id in (select d.id from editor_devices d where not ${isOfEditor} limit ${limit})
      returning id`,
    on,
  );
  return deleted.length;
}

export async function deleteDevice(on: Executor, id: string): Promise<void> {
  await sql`delete from editor_devices where id = ${id}`.execute(on);
}

/**
 * Inserts a notification about a campaign for each device of the site's editors. Runs in the transaction that suggests
 * the campaign: so no notification is lost, and none is about a draft that does not exist.
 */
export async function insertEditorNudges(on: Executor, siteId: string, campaignId: string): Promise<void> {
  await sql`insert into editor_nudges (device_id, site_id, campaign_id)
    select d.id, ${siteId}, ${campaignId} from editor_devices d where d.site_id = ${siteId} and ${isOfEditor}
    on conflict do nothing`.execute(on);
}

/**
 * A notification that is due, with its device and campaign. `isWanted`: its campaign is still a draft that the member
 * may send, and it is less than an hour old.
 */
export type DueNudge = Pick<Subscription, "endpoint" | "p256dh" | "auth" | "pushService"> & {
  deviceId: string;
  siteId: string;
  campaignId: string;
  tries: number;
  title: string | null;
  body: string;
  topicIds: string[];
  segmentId: string | null;
  followersOf: string | null;
  vapidPublicKey: Buffer;
  isWanted: boolean;
};

/**
 * Claims the notification that has been due longest, for `againAfterSeconds` times the number of its tries. By the end
 * of that time this try has ended, or its process has died. Returns undefined if none is due.
 */
export function claimEditorNudge(on: Executor, againAfterSeconds: number): Promise<DueNudge | undefined> {
  return row(
    sql<DueNudge>`with due as materialized (
        select device_id, campaign_id from editor_nudges where due_at <= now() order by due_at limit 1
        for update skip locked),
      claimed as (
        update editor_nudges n set tries = n.tries + 1,
          due_at = now() + make_interval(secs => ${againAfterSeconds} * (n.tries + 1))
        from due where n.device_id = due.device_id and n.campaign_id = due.campaign_id returning n.*)
      select n.device_id as "deviceId", n.site_id as "siteId", n.campaign_id as "campaignId", n.tries, d.endpoint, d.p256dh,
        d.auth, d.push_service as "pushService", c.title, c.body, c.topic_ids as "topicIds", c.segment_id as "segmentId", c.followers_of as "followersOf",
        s.vapid_public_key as "vapidPublicKey",
        c.status = 'draft' and n.created_at > now() - interval '1 hour' and ${isOfEditor} as "isWanted"
      from claimed n join editor_devices d on d.id = n.device_id
        join campaigns c on c.site_id = n.site_id and c.id = n.campaign_id join sites s on s.id = n.site_id`,
    on,
  );
}

export async function deleteEditorNudge(on: Executor, { deviceId, campaignId }: DueNudge): Promise<void> {
  await sql`delete from editor_nudges where device_id = ${deviceId} and campaign_id = ${campaignId}`.execute(on);
}

/** Deletes the notifications that editors' devices have not got yet, in an installation that was restored. */
export async function deleteAllEditorNudges(on: Executor): Promise<void> {
  await sql`delete from editor_nudges`.execute(on);
}
