import type { KeyObject } from "node:crypto";
import { sql } from "kysely";
import type { Executor } from "../db/pool.ts";
import { readMessageToken } from "../runs/message-token.ts";
import { createTally, type Tally } from "./tally.ts";

/** The number of times that pages of a site reported that something followed a click on a run's notification. */
export type ClickOutcome = { siteId: string; runId: string; name: string; n: number };

/** The most sums that wait to be written. */
export const maxWaitingOutcomes = 10_000;
/** The most names of its own that a site counts for a run: the first ones reported. */
export const maxOutcomesOfRun = 10;
/** The names that the page script reports by itself. A reader who reports others cannot keep them from counting. */
const standardNames = ["read", "second_page"];

const outcomeName = /^[a-z][a-z0-9_]{0,29}$/;

/** Creates an empty tally of what follows clicks. */
export function createOutcomeTally(): Tally<ClickOutcome> {
  return createTally(
    maxWaitingOutcomes,
    ({ siteId, runId, name }) => `${siteId} ${runId} ${name}`,
    (a, b) => ({ ...a, n: a.n + b.n }),
  );
}

/** Returns the outcome that a page reports; undefined if the name is not valid or no token key has signed `token`. */
export function readOutcome(
  tokenKeys: KeyObject | KeyObject[],
  { siteId, name, token }: { siteId: string; name: unknown; token: unknown },
): ClickOutcome | undefined {
  if (typeof name !== "string" || typeof token !== "string" || !outcomeName.test(name)) return undefined;
  const message = readMessageToken(tokenKeys, token);
  return message && { siteId, runId: message.runId, name, n: 1 };
}

/** Adds outcomes to their runs. Skips runs of other sites, removed sites, and sites whose receipts are off. */
export async function addOutcomes(on: Executor, outcomes: ClickOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const column = <Name extends keyof ClickOutcome>(name: Name) => outcomes.map((of) => of[name]);
  await sql`with told as (
      select r.site_id, r.id as run_id, c.name, c.n, k.name is not null or is_standard as is_sure,
        row_number() over (partition by r.id, k.name is null and not is_standard order by c.name) as place
      from unnest(${column("siteId")}::uuid[], ${column("runId")}::uuid[], ${column("name")}::text[],
          ${column("n")}::bigint[]) as c (site_id, run_id, name, n)
        cross join lateral (select c.name = any(${standardNames}::text[]) as is_standard) standard
        join runs r on r.site_id = c.site_id and r.id = c.run_id
        join sites s on s.id = r.site_id and s.removed_at is null and s.receipts <> 'off'
        left join click_outcomes k on k.site_id = r.site_id and k.run_id = r.id and k.name = c.name)
    insert into click_outcomes as o (site_id, run_id, name, n)
    select t.site_id, t.run_id, t.name, t.n
    from told t cross join lateral (
      select count(*) as n from click_outcomes o where o.site_id = t.site_id and o.run_id = t.run_id
        and o.name <> all(${standardNames}::text[])) so_far
    where t.is_sure or so_far.n + t.place <= ${maxOutcomesOfRun}
    order by t.site_id, t.run_id, t.name
    on conflict (site_id, run_id, name) do update set n = o.n + excluded.n`.execute(on);
}
