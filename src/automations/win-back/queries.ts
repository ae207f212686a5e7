import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { readersOfRun, type SiteAudience } from "../../runs/audience.ts";
import { finalCode } from "../../runs/ledger/codes.ts";
import { gatesOpen } from "../../sends/gate-queries.ts";
import { today } from "../../subscribers/seen-queries.ts";
import { daysToReturn, noWinBack, type WinBack } from "./win-back.ts";

const columns = sql.raw(`enabled, after_days as "afterDays", title, body, url, image_url as "imageUrl", afterwards`);

/** SQL: readers of win-back `w` are due today if they were last seen on or before this day (UTC). */
const dueUntil = sql.raw("((now() at time zone 'UTC')::date - w.after_days)");

/** The hours of the day at the site in which the win-back is sent, both included. */
const sendHours = { first: 10, last: 17 } as const;

/**
 * SQL condition on a site `s` and its tenant `t`: all gates are open, and the site has seen a reader within a week. If
 * it has not, its pages have lost the loader, and all readers would look absent.
 */
const mayAct = (plans: string[]) => sql`${gatesOpen(plans)} and s.readers_seen_on > ${today} - 7`;

/** Returns the win-back of a site; undefined if it never had one. */
export function winBackOfSite(on: Executor, siteId: string): Promise<WinBack | undefined> {
  return row(sql<WinBack>`select ${columns} from win_backs where site_id = ${siteId}`, on);
}

/** Returns the win-back of a site like `winBackOfSite`, and locks it until the transaction ends. */
export function lockWinBack(tx: Tx, siteId: string): Promise<WinBack | undefined> {
  return row(sql<WinBack>`select ${columns} from win_backs where site_id = ${siteId} for update`, tx);
}

/** Stores the win-back of a site. If it no longer removes readers, cancels the pending removals. */
export async function upsertWinBack(tx: Tx, siteId: string, winBack: WinBack): Promise<void> {
  const { enabled, afterDays, title, body, url, imageUrl, afterwards } = winBack;
  await sql`insert into win_backs as w (site_id, enabled, after_days, title, body, url, image_url, afterwards)
    values (${siteId}, ${enabled}, ${afterDays}, ${title}, ${body}, ${url}, ${imageUrl}, ${afterwards})
    on conflict (site_id) do update set enabled = excluded.enabled, after_days = excluded.after_days,
      title = excluded.title, body = excluded.body, url = excluded.url, image_url = excluded.image_url,
      afterwards = excluded.afterwards, changed_at = now()`.execute(tx);
  if (!enabled || afterwards === "keep") await sql`delete from lost_subscribers where site_id = ${siteId}`.execute(tx);
}

/**
 * A site with a due win-back. It goes to readers who were last seen after the day `after`, and no later than the day
 * `until`. `after`: the last day that the previous win-back covered; null if there was none.
 */
export type DueWinBack = { siteId: string; plan: string; after: string | null; until: string };

/**
 * Returns the sites whose win-back is due: once a day, within the site's `sendHours`, if the last run has ended.
 * `plans`: the names in the setting PLANS.
 */
export function dueWinBacks(on: Executor, plans: string[]): Promise<DueWinBack[]> {
  return rows(
    sql<DueWinBack>`select w.site_id as "siteId", t.plan, w.seen_until::text as after, ${dueUntil}::text as until
      from win_backs w join sites s on s.id = w.site_id join tenants t on t.id = s.tenant_id
      where w.enabled and w.run_id is null and (w.seen_until is null or w.seen_until < ${dueUntil}) and ${mayAct(plans)}
        and extract(hour from now() at time zone s.time_zone) between ${sendHours.first} and ${sendHours.last}
      order by w.site_id`,
    on,
  );
}

/**
 * Locks a due win-back until the transaction ends, and returns it. Returns undefined if another process is sending it,
 * if it is no longer due, or if it is now due for other days.
 */
export function lockDueWinBack(tx: Tx, { siteId, after, until }: DueWinBack): Promise<WinBack | undefined> {
  return row(
    sql<WinBack>`select ${columns} from win_backs w where w.site_id = ${siteId} and w.enabled and w.run_id is null
        and w.seen_until is not distinct from ${after}::date and ${dueUntil} = ${until}::date
      for update skip locked`,
    tx,
  );
}

/**
 * Returns the audience of readers who were last seen after the day `after`, and no later than the day `until`. Each
 * last day is covered by one win-back, so a reader gets one win-back for each absence. No row for each reader is
 * needed.
 */
export function lostReaders({ siteId, after, until }: Omit<DueWinBack, "plan">) {
  const segment = { notSeenForDays: until, ...(after !== null && { hereAfter: after }) };
  return { siteId, of: "readers", topicIds: [], segment, followersOf: null } as const satisfies SiteAudience;
}

/** Returns the audience that a win-back of the site would have today. */
export async function nextReaders(on: Executor, siteId: string): Promise<SiteAudience> {
  const days = await row(
    sql<{ after: string | null; until: string }>`select seen_until::text as after, ${dueUntil}::text as until
      from win_backs w where site_id = ${siteId}`,
    on,
  );
  return lostReaders({ siteId, ...days! });
}

/**
 * Records that the win-back was sent to readers who were last seen until the day `until`. `runId` null: there were
 * none.
 */
export async function noteSent(tx: Tx, { siteId, until }: DueWinBack, runId: string | null): Promise<void> {
  await sql`update win_backs set seen_until = ${until}::date, run_id = ${runId} where site_id = ${siteId}`.execute(tx);
}

/** A win-back run that has ended, but whose outcomes have not been read yet. */
export type EndedRun = { siteId: string; runId: string; batches: number };

/** Returns the win-back runs that have ended, but whose outcomes have not been read yet. */
export function endedRuns(on: Executor): Promise<EndedRun[]> {
  return rows(
    sql<EndedRun>`select r.site_id as "siteId", r.id as "runId", r.planned_batches as batches
      from win_backs w join runs r on r.site_id = w.site_id and r.id = w.run_id
      where r.finished_at is not null order by r.site_id`,
    on,
  );
}

/**
 * Records the readers to remove if they do not come back: readers in the batches after `from` up to `to` of a run,
 * whose message was accepted and who were not seen since the run began. Records none if the site keeps its readers.
 */
export async function noteLost(tx: Tx, run: EndedRun, { from, to }: { from: number; to: number }): Promise<void> {
  const { afterwards, enabled } = (await lockWinBack(tx, run.siteId)) ?? noWinBack;
  if (!enabled || afterwards === "keep") return;
  const ofBatches = sql`b.no > ${from} and b.no <= ${to}`;
  await sql`insert into lost_subscribers (site_id, subscriber_id, asked_on)
    select run.site_id, lost.id, run.asked_on
    from (select r.site_id, (r.created_at at time zone 'UTC')::date as began_on, (r.finished_at at time zone 'UTC')::date as asked_on
        from win_backs w join runs r on r.site_id = w.site_id and r.id = w.run_id
        where w.site_id = ${run.siteId} and w.run_id = ${run.runId}) run
      cross join lateral (select s.id, s.seen_on ${readersOfRun(run, [finalCode.accepted], ofBatches)}) lost
    where lost.seen_on is null or lost.seen_on < run.began_on
    on conflict (site_id, subscriber_id) do update set asked_on = excluded.asked_on`.execute(tx);
}

/** Records that the outcomes of a run have been read. */
export async function noteRead(on: Executor, { siteId, runId }: EndedRun): Promise<void> {
  await sql`update win_backs set run_id = null where site_id = ${siteId} and run_id = ${runId}`.execute(on);
}

/** Returns the sites with readers who did not come back in time. `plans`: the names in the setting PLANS. */
export async function sitesWithLost(on: Executor, plans: string[]): Promise<string[]> {
  const found = await rows(
    sql<{ id: string }>`select w.site_id as id
      from win_backs w join sites s on s.id = w.site_id join tenants t on t.id = s.tenant_id
      where w.enabled and w.afterwards = 'remove' and ${mayAct(plans)} and exists (
        select from lost_subscribers l where l.site_id = w.site_id and l.asked_on < ${today} - ${daysToReturn}::int)
      order by w.site_id`,
    on,
  );
  return found.map(({ id }) => id);
}

/**
 * Ends all pending work of the win-backs of a site, or of all sites. Readers whose win-back was due get none in this
 * absence, and nobody is removed. This database may lack some of their visits and sends.
 */
export async function endWinBacks(on: Executor, siteId: string | "all"): Promise<void> {
  const ofSites: RawBuilder<unknown> = siteId === "all" ? sql`true` : sql`site_id = ${siteId}`;
  await sql`update win_backs w set seen_until = greatest(seen_until, ${dueUntil}), run_id = null
    where enabled and ${ofSites}`.execute(on);
  await sql`delete from lost_subscribers where ${ofSites}`.execute(on);
}

/** Returns how many readers of a site were removed in the last `days` days because they did not come back. */
export async function countRemoved(on: Executor, siteId: string, days: number): Promise<number> {
  const counted = await row(
    sql<{
      n: number;
    }>`select coalesce(sum(l.n), 0)::bigint as n from subscribers_left l join sites s on s.id = l.site_id
      where l.site_id = ${siteId} and l.reason = 'not_seen'
        and l.day > (now() at time zone s.time_zone)::date - ${days}::int`,
    on,
  );
  return counted!.n;
}
