import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { PlannedSend } from "./planned-send.ts";

/**
 * An undo window as stored. `startsInMs`: the time until the send starts, by the database's clock; 0 if it is due.
 * `refusal`: an error code, `changed` or `late`. `approves`: the id of a request for approval.
 */
export type UndoWindowRecord = Omit<PlannedSend, "startsAt" | "localTime"> & {
  approves: string | null;
  /** The group of its campaign. */
  groupId: string | null;
  startsInMs: number;
  status: "waiting" | "undone" | "sent" | "refused" | "withdrawn";
  refusal: string | null;
};

const columns = sql.raw(`p.id, p.site_id as "siteId", p.campaign_id as "campaignId", p.user_id as "userId", p.approves,
  c.title, c.group_id as "groupId", p.audience, p.audience_exact as "audienceExact", p.status, p.refusal,
  greatest(0, extract(epoch from p.starts_at - clock_timestamp()) * 1000)::float8 as "startsInMs"`);
const joined = sql.raw("planned_sends p join campaigns c on c.site_id = p.site_id and c.id = p.campaign_id");

/** How many seconds an ended window is shown. A refusal is shown longer than an end that the member expects. */
const endShownSeconds = 20;
const refusalShownSeconds = 600;

/**
 * Returns the last undo window of each campaign of a member, if it is open or has just ended, oldest first.
 * `siteIds`, if given, limits the result to these sites.
 */
export function undoWindowsOfMember(
  on: Executor,
  { tenantId, userId, siteIds = null }: { tenantId: string; userId: string; siteIds?: string[] | null },
): Promise<UndoWindowRecord[]> {
  return rows(
    sql<UndoWindowRecord>`select ${columns} from ${joined}
      where p.tenant_id = ${tenantId} and p.user_id = ${userId} and p.waits_for = 'undo'
        and (${siteIds}::uuid[] is null or p.site_id = any(${siteIds}::uuid[])) and (p.status = 'waiting' or
        p.ended_at > now() -
          make_interval(secs => case p.status when 'refused' then ${refusalShownSeconds}::int else ${endShownSeconds} end))
        and not exists (select from planned_sends later
          where later.campaign_id = p.campaign_id and later.waits_for = 'undo' and later.decided_at > p.decided_at)
      order by p.decided_at`,
    on,
  );
}

/** Returns the last undo window of a campaign, in any status. The caller has locked the campaign. */
export function lastUndoWindow(tx: Tx, campaignId: string): Promise<UndoWindowRecord | undefined> {
  return row(
    sql<UndoWindowRecord>`select ${columns} from ${joined} where p.campaign_id = ${campaignId} and p.waits_for = 'undo'
      order by p.decided_at desc limit 1`,
    tx,
  );
}

type UndoFacts = { approves: string | null; hasChanged: boolean; maySend: boolean };

/**
 * Returns the facts that decide whether the send of an undo window may start. The caller has locked its planned send
 * and its campaign.
 */
export async function undoFacts(tx: Tx, id: string): Promise<UndoFacts> {
  return (await row(
    sql<UndoFacts>`select p.approves, c.revision <> p.campaign_revision as "hasChanged",
        exists (select from site_members m where m.site_id = p.site_id and m.user_id = p.user_id
          and m.role in ('editor', 'owner')) as "maySend"
      from ${joined} where p.id = ${id}`,
    tx,
  ))!;
}
