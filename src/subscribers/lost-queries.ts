import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { countLeft } from "./left-days.ts";
import { today } from "./seen-queries.ts";

/**
 * Deletes readers of a site who were not seen since their win-back, if that is more than `days` days ago. Ends the
 * wait of those who came back. Looks at up to `limit` readers. A reader who comes back at the same time stays, because
 * the delete evaluates its condition again. Returns how many it looked at and how many it removed. A page of 5,000
 * takes a second on two busy cores, most of it for the rows that cascade.
 */
export async function deleteLost(
  on: Executor,
  siteId: string,
  days: number,
  limit: number,
): Promise<{ looked: number; removed: number }> {
  const page = await row(
    sql<{ looked: number; removed: number }>`with due as materialized (
        select subscriber_id, asked_on from lost_subscribers
        where site_id = ${siteId} and asked_on < ${today} - ${days}::int
        limit ${limit} for update skip locked),
      deleted as (
        delete from subscribers s using due where s.site_id = ${siteId} and s.id = due.subscriber_id
          and not s.is_test and (s.seen_on is null or s.seen_on < due.asked_on)
        returning s.site_id, s.is_test),
      ended as (
        delete from lost_subscribers l using due where l.site_id = ${siteId} and l.subscriber_id = due.subscriber_id),
      counted as (${countLeft("not_seen")})
      select (select count(*) from due) as looked, (select count(*) from deleted) as removed`,
    on,
  );
  return page!;
}
