import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { today } from "./seen-queries.ts";

/** The number of readers who were migrated from another push service, in all and within the last seven days. */
export type Migrated = { readers: number; lastWeek: number };

/** Counts a reader who was migrated, if the site wants that. */
export async function countMigrated(on: Executor, siteId: string): Promise<void> {
  await sql`insert into migrated_subscriptions as t (site_id, day, readers)
    select id, ${today}, 1 from sites where id = ${siteId} and migrate_subscriptions is not null
    on conflict (site_id, day) do update set readers = t.readers + 1`.execute(on);
}

export async function migratedAt(on: Executor, siteId: string): Promise<Migrated> {
  const counted = await row(
    sql<Migrated>`select coalesce(sum(readers), 0)::float8 as readers,
        coalesce(sum(readers) filter (where day > ${today} - 7), 0)::float8 as "lastWeek"
      from migrated_subscriptions where site_id = ${siteId}`,
    on,
  );
  return counted!;
}
