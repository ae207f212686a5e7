import { sql } from "kysely";
import { type Executor, rows } from "../../db/pool.ts";
import { isReachable } from "../queries.ts";

/** An id that readers follow. `followers`: reachable readers, without test devices, as a campaign counts them. */
export type FollowedKey = { key: string; followers: number };

/**
 * Returns the ids that readers of a site follow after the entry `after`, those with the most followers first.
 * `search`: only ids that contain it. The cost grows linearly with the number of follows at the site. Test devices and
 * unreachable readers are read through their indexes. No other subscriber is read.
 */
export function followedKeys(
  on: Executor,
  siteId: string,
  { search, after, limit }: { search: string; after: FollowedKey | null; limit: number },
): Promise<FollowedKey[]> {
  const isAfter =
    after === null
      ? sql`true`
      : sql`(followers < ${after.followers} or followers = ${after.followers} and key > ${after.key})`;
  return rows(
    sql<FollowedKey>`with left_out as materialized (
        select s.id from subscribers s where s.site_id = ${siteId} and s.is_test
        union select s.id from subscribers s where s.site_id = ${siteId} and not (${isReachable}))
      select key, followers from (
        select f.key, count(*) filter (where l.id is null) as followers
        from follows f left join left_out l on l.id = f.subscriber_id
        where f.site_id = ${siteId} and (${search} = '' or position(lower(${search}) in lower(f.key)) > 0)
        group by f.key) counted
      where ${isAfter} order by followers desc, key limit ${limit}`,
    on,
  );
}
