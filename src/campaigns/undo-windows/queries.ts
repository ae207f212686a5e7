import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";

/**
 * An undo window as stored. `startsInMs`: by the database's clock, 0 if it is due. `refusal`: an error code, or
 * `changed`.
 */
export type UndoWindowRecord = {
  id: string;
  siteId: string;
  campaignId: string;
  userId: string;
  requestId: string | null;
  title: string | null;
  audience: number;
  audienceExact: boolean;
  startsInMs: number;
  status: "waiting" | "taken_back" | "sent" | "refused";
  refusal: string | null;
};

const columns = sql.raw(`p.id, p.site_id as "siteId", p.campaign_id as "campaignId", p.user_id as "userId",
  p.request_id as "requestId", c.title, p.audience, p.audience_exact as "audienceExact", p.status, p.refusal,
  greatest(0, extract(epoch from p.starts_at - clock_timestamp()) * 1000)::float8 as "startsInMs"`);
const joined = sql.raw("undo_windows p join campaigns c on c.site_id = p.site_id and c.id = p.campaign_id");

/** For how long an end is shown: a refusal is longer than one that the member expects. */
const endShownSeconds = 20;
const refusalShownSeconds = 600;

/**
 * The undo windows of a member, and those that have just ended: of each campaign the last, in the order of their begin.
 */
export function undoWindowsOfMember(on: Executor, tenantId: string, userId: string): Promise<UndoWindowRecord[]> {
  return rows(
    sql<UndoWindowRecord>`select ${columns} from ${joined}
      where p.tenant_id = ${tenantId} and p.user_id = ${userId} and (p.status = 'waiting' or p.ended_at > now() -
        make_interval(secs => case p.status when 'refused' then ${refusalShownSeconds}::int else ${endShownSeconds} end))
        and not exists (select from undo_windows later where later.campaign_id = p.campaign_id and later.id > p.id)
      order by p.id`,
    on,
  );
}

/** The last undo window of a campaign, in any status. The caller has locked the campaign. */
export function lastUndoWindow(tx: Tx, campaignId: string): Promise<UndoWindowRecord | undefined> {
  return row(
    sql<UndoWindowRecord>`select ${columns} from ${joined} where p.campaign_id = ${campaignId}
      order by p.id desc limit 1`,
    tx,
  );
}

/**
 * Inserts an undo window of a campaign that the caller has locked. Deletes what of the member's has ended a day ago.
 */
export async function insertUndoWindow(
  tx: Tx,
  send: Pick<UndoWindowRecord, "id" | "campaignId" | "userId" | "requestId" | "audience" | "audienceExact">,
  undoSeconds: number,
): Promise<void> {
  const { id, campaignId, userId, requestId, audience, audienceExact } = send;
  await sql`insert into undo_windows (id, tenant_id, site_id, campaign_id, user_id, request_id, audience, audience_exact,
      campaign_updated_at, starts_at)
    select ${id}, c.tenant_id, c.site_id, c.id, ${userId}, ${requestId}, ${audience}, ${audienceExact}, c.updated_at,
      clock_timestamp() + make_interval(secs => ${undoSeconds})
    from campaigns c where c.id = ${campaignId}`.execute(tx);
  await sql`delete from undo_windows where user_id = ${userId} and ended_at < now() - interval '1 day'`.execute(tx);
}

export type UndoWindowEnd = { status: "taken_back" | "sent" } | { status: "refused"; refusal: string };

/** Ends an undo window. False: it has ended before. */
export async function closeUndoWindow(on: Executor, id: string, end: UndoWindowEnd): Promise<boolean> {
  const refusal = end.status === "refused" ? end.refusal : null;
  const ended = await row(
    sql`update undo_windows set status = ${end.status}, refusal = ${refusal}, ended_at = clock_timestamp()
      where id = ${id} and status = 'waiting' returning id`,
    on,
  );
  return ended !== undefined;
}

/** Refuses all undo windows, as those that could not start in time. Returns how many. */
export async function refuseAllUndoWindows(tx: Tx): Promise<number> {
  const refused = await rows(
    sql`update undo_windows set status = 'refused', refusal = 'late', ended_at = clock_timestamp()
      where status = 'waiting' returning id`,
    tx,
  );
  return refused.length;
}

export type DueSend = { id: string; tenantId: string; campaignId: string; userId: string };

/** At most 100 undo windows that are due by the database's clock, the longest due first. Takes no lock. */
export function endedUndoWindows(on: Executor): Promise<DueSend[]> {
  return rows(
    sql<DueSend>`select id, tenant_id as "tenantId", campaign_id as "campaignId", user_id as "userId" from undo_windows
      where status = 'waiting' and starts_at <= clock_timestamp() order by starts_at limit 100`,
    on,
  );
}

/** What decides whether an undo window may start; undefined: it has ended. The caller has locked its campaign. */
export function startFacts(
  tx: Tx,
  id: string,
): Promise<{ requestId: string | null; hasChanged: boolean; maySend: boolean; lateMs: number } | undefined> {
  return row(
    sql<{ requestId: string | null; hasChanged: boolean; maySend: boolean; lateMs: number }>`select
        p.request_id as "requestId", c.updated_at <> p.campaign_updated_at as "hasChanged",
        exists (select from members m where m.tenant_id = p.tenant_id and m.user_id = p.user_id
          and m.role in ('editor', 'owner')) as "maySend",
        (extract(epoch from clock_timestamp() - p.starts_at) * 1000)::float8 as "lateMs"
      from ${joined} where p.id = ${id} and p.status = 'waiting' for update of p`,
    tx,
  );
}
