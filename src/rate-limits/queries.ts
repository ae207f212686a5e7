import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";

/** A window that is over begins anew with this request. `r` is the row that stands. */
export const countAnother = sql`on conflict (bucket) do update set
    used = case when r.resets_at <= now() then 1 else r.used + 1 end,
    resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
  returning used, greatest(1, ceil(extract(epoch from resets_at - now())))::integer as "resetSeconds"`;

export const windowEnd = (windowSeconds: number) => sql`now() + make_interval(secs => ${windowSeconds})`;

export type Counted = { used: number; resetSeconds: number };

/** Counts a request in `bucket`; how many there were in its window, this one included, and how long it lasts. */
export async function countInBucket(on: Executor, bucket: string, windowSeconds: number): Promise<Counted> {
  const counted = await row(
    sql<Counted>`insert into rate_limits as r (bucket, used, resets_at)
      values (${bucket}, 1, ${windowEnd(windowSeconds)}) ${countAnother}`,
    on,
  );
  return counted!;
}

export async function giveBackToBucket(on: Executor, bucket: string): Promise<void> {
  await sql`update rate_limits set used = used - 1 where bucket = ${bucket} and used > 0`.execute(on);
}
