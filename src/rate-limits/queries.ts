import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";

/**
 * The end of an `insert into rate_limits as r (bucket, used, resets_at)`. It adds `used` to an existing bucket, or
 * restarts the bucket at `used` if its window is over. `useApiKey` also uses it, to find a key and count its request
 * in one statement.
 */
export const incrementOnConflict = sql`on conflict (bucket) do update set
    used = excluded.used + case when r.resets_at <= now() then 0 else r.used end,
    resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
  returning used, greatest(1, ceil(extract(epoch from resets_at - now())))::integer as "resetSeconds"`;

export const windowEnd = (windowSeconds: number) => sql`now() + make_interval(secs => ${windowSeconds})`;

/** Requests counted in a bucket's window, and the seconds until the window ends (at least 1). */
export type BucketCount = { used: number; resetSeconds: number };

/** Counts `requests` in `bucket` and returns the count with them included. */
export async function incrementBucket(
  on: Executor,
  bucket: string,
  windowSeconds: number,
  requests = 1,
): Promise<BucketCount> {
  const counted = await row(
    sql<BucketCount>`insert into rate_limits as r (bucket, used, resets_at)
      values (${bucket}, ${requests}, ${windowEnd(windowSeconds)}) ${incrementOnConflict}`,
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
