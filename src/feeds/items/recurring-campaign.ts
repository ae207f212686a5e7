import { type RawBuilder, sql } from "kysely";

/**
 * The Idempotency-Key of the campaign that a recurring send makes of an item is this prefix and the id of the item, so
 * that each item gets one campaign.
 */
export const recurringKeyPrefix = "recurring:";

/** SQL after `select`: from the campaign `c` that a recurring send has made of an item. `item`: its table or alias. */
export const recurringCampaignOf = (item: "i" | "feed_items"): RawBuilder<unknown> =>
  sql`from campaigns c join sites s on s.tenant_id = c.tenant_id
    where s.id = ${sql.ref(item)}.site_id and c.idempotency_key = ${recurringKeyPrefix} || ${sql.ref(item)}.id`;
