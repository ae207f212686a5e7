import { sql } from "kysely";
import type { Executor } from "../db/pool.ts";
import { createTally, type Tally } from "./tally.ts";

/** The counts that pages report for one version of a prompt. */
export type PromptCount = { siteId: string; version: string; shown: number; granted: number };

/**
 * The most versions of prompts that wait to be written. A limit is needed because anybody can report a made-up
 * version.
 */
export const maxWaitingVersions = 10_000;
/** The most versions of a site's prompt counted in a day. */
export const maxVersionsOfDay = 200;

/** Creates an empty tally of the counts that pages report for prompts. */
export function createPromptTally(): Tally<PromptCount> {
  return createTally(
    maxWaitingVersions,
    ({ siteId, version }) => `${siteId} ${version}`,
    (a, b) => ({ ...a, shown: a.shown + b.shown, granted: a.granted + b.granted }),
  );
}

/**
 * Adds counts to the day of the database's clock (UTC). Skips unknown versions, removed sites, and sites whose
 * receipts are off.
 */
export async function addPromptCounts(on: Executor, counts: PromptCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`with told as (
      select p.site_id, p.version, c.shown, c.granted, row_number() over (partition by p.site_id order by p.version) as n
      from unnest(${counts.map(({ siteId }) => siteId)}::uuid[], ${counts.map(({ version }) => version)}::text[],
          ${counts.map(({ shown }) => shown)}::bigint[], ${counts.map(({ granted }) => granted)}::bigint[])
          as c (site_id, version, shown, granted)
        join consent_prompts p on p.site_id = c.site_id and p.version = c.version
        join sites s on s.id = c.site_id and s.removed_at is null and s.receipts <> 'off')
    insert into prompt_days as d (site_id, version, day, shown, granted)
    select t.site_id, t.version, today.day, t.shown, t.granted
    from told t cross join (select (now() at time zone 'UTC')::date as day) today
      left join prompt_days k on k.site_id = t.site_id and k.day = today.day and k.version = t.version
      cross join lateral (select count(*) as n from prompt_days o where o.site_id = t.site_id and o.day = today.day) so_far
    where k.version is not null or so_far.n + t.n <= ${maxVersionsOfDay}
    order by t.site_id, t.version
    on conflict (site_id, day, version) do update set shown = d.shown + excluded.shown, granted = d.granted + excluded.granted`.execute(
    on,
  );
}
