import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";

/**
 * The end of an `insert into rate_limits as r (bucket, used, resets_at)`: adds 1 to an existing bucket, or restarts it
 * at 1 when its window is over. Also part of `useApiKey`, which finds a key and counts its request in one statement.
 */
export const incrementOnConflict = sql`on conflict (bucket) do update set
    used = case when r.resets_at <= now() then 1 else r.used + 1 end,
    resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
  returning used, greatest(1, ceil(extract(epoch from resets_at - now())))::integer as "resetSeconds"`;

export const windowEnd = (windowSeconds: number) => sql`now() + make_interval(secs => ${windowSeconds})`;

/** Requests counted in a bucket's window, and the seconds until the window ends (at least 1). */
export type BucketCount = { used: number; resetSeconds: number };

/** Counts a request in `bucket` and returns the count with it included. */
export async function incrementBucket(on: Executor, bucket: string, windowSeconds: number): Promise<BucketCount> {
  const counted = await row(
    sql<BucketCount>`insert into rate_limits as r (bucket, used, resets_at)
      values (${bucket}, 1, ${windowEnd(windowSeconds)}) ${incrementOnConflict}`,
    on,
  );
  return counted!;
}

export async function decrementBucket(on: Executor, bucket: string): Promise<void> {
  await sql`update rate_limits set used = used - 1 where bucket = ${bucket} and used > 0`.execute(on);
}

/** Deletes the buckets whose window has ended. */
export async function deleteEndedBuckets(on: Executor): Promise<void> {
  await sql`delete from rate_limits where resets_at < now()`.execute(on);
}
