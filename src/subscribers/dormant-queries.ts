import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { isRemovedForGood } from "../tenants/sites/removal-queries.ts";
import { countLeft } from "./left-days.ts";

/**
 * Deletes the dormant subscribers among the next `pageSize` of one site, after the position `after`. Deletes all of
 * the page if the site was removed for good. Returns the position where the next page begins, with `siteId` null after
 * the last page. A subscriber that is confirmed at the same time stays, because the delete evaluates its condition
 * again.
 */
export async function deleteDormantPage(
  on: Executor,
  after: { siteId: string | null; id: number },
  pageSize: number,
): Promise<{ siteId: string | null; lastId: number; removed: number }> {
  const page = await row(
    sql<{ siteId: string | null; lastId: number | null; size: number; removed: number }>`with site as materialized (
        select id, case when ${isRemovedForGood("sites")} then 0 else dormant_months end as months, case when id = ${after.siteId}::uuid then ${after.id} else 0 end as behind
        from sites where (${after.siteId}::uuid is null or id >= ${after.siteId})
          and (dormant_months is not null or ${isRemovedForGood("sites")})
        order by id limit 1),
      page as materialized (
        select id from subscribers where site_id = (select id from site) and id > (select behind from site)
        order by id limit ${pageSize}),
      gone as (
        delete from subscribers where site_id = (select id from site)
          and id > (select behind from site) and id <= (select max(id) from page)
          and confirmed_at < now() - make_interval(months => (select months from site))
        returning site_id, is_test),
      counted as (${countLeft("expired", "gone")})
      select (select id from site) as "siteId", (select max(id) from page) as "lastId",
        (select count(*) from page) as size, (select count(*) from gone) as removed`,
    on,
  );
  const { siteId, lastId, size, removed } = page!;
  if (siteId === null || size === pageSize) return { siteId, lastId: lastId ?? 0, removed };
  return { siteId: await nextSite(on, siteId), lastId: 0, removed };
}

async function nextSite(on: Executor, siteId: string): Promise<string | null> {
  const next = await row(sql<{ id: string }>`select id from sites where id > ${siteId} order by id limit 1`, on);
  return next?.id ?? null;
}
