import { sql } from "kysely";
import { type Executor, rows } from "../../db/pool.ts";
import type { ItemRecord } from "./item.ts";
import { itemColumns } from "./queries.ts";
import { recurringCampaignOf } from "./recurring-campaign.ts";
import { limitCodes } from "./site-limits.ts";

/**
 * The codes for which an item was only held back. If a feed skips an item for these alone, no check of the story
 * failed.
 */
const heldBackFor = [...limitCodes, "feed_hourly_limit", "feed_daily_limit"];

/**
 * Returns the items that the enabled feeds of a site have decided on after `since` and have not sent: suggestions that
 * nobody has changed, and items that only a limit held back. The newest stories come first. `feedId` null: items of
 * all feeds. An item that was held back is left out if the campaign that a recurring send made of it was sent, changed
 * or cancelled.
 */
export function unsentItems(
  on: Executor,
  { siteId, feedId, since }: { siteId: string; feedId: string | null; since: Date },
  limit: number,
): Promise<ItemRecord[]> {
  const isOpen = sql`c.status = 'draft' and c.revision = 1`;
  return rows(
    sql<ItemRecord>`select ${itemColumns} from feed_items
      where site_id = ${siteId} and (${feedId}::uuid is null or feed_id = ${feedId}) and url is not null
        and decided_at > ${since}
        and exists (select from feeds f where f.id = feed_items.feed_id and f.enabled)
        and case status
          when 'suggested' then exists (
            select from campaigns c where c.site_id = feed_items.site_id and c.id = feed_items.campaign_id and ${isOpen})
          when 'skipped' then reasons <> '[]'
            and not exists (select from jsonb_array_elements(reasons) r where r->>'code' <> all(${heldBackFor}::text[]))
            and not exists (select ${recurringCampaignOf("feed_items")} and not (${isOpen}))
          else false end
      order by coalesce(published_at, found_at) desc, id desc limit ${limit}`,
    on,
  );
}
