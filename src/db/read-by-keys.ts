import { sql } from "kysely";
import type { Tx } from "./pool.ts";

/**
 * Makes PostgreSQL read by keys until the transaction ends (docs/decisions/0029). It plans each statement with its
 * values, and uses no bitmap scans, which keep no order. With bitmap scans, it read all readers of a site for each
 * page when it expected few readers.
 */
export async function readByKeys(tx: Tx): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_bitmapscan', 'off', true)`.execute(tx);
}
