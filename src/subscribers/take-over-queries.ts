import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { today } from "./seen-queries.ts";

/** How many readers of another push service were taken over, in all and within the last seven days. */
export type TakenOver = { readers: number; lastWeek: number };

/** Counts a reader who was taken over, if the site wants that. */
export async function countTakenOver(on: Executor, siteId: string): Promise<void> {
  await sql`insert into takeovers as t (site_id, day, readers)
    select id, ${today}, 1 from sites where id = ${siteId} and take_over is not null
    on conflict (site_id, day) do update set readers = t.readers + 1`.execute(on);
}

export async function takenOverAt(on: Executor, siteId: string): Promise<TakenOver> {
  const counted = await row(
    sql<TakenOver>`select coalesce(sum(readers), 0)::float8 as readers,
        coalesce(sum(readers) filter (where day > ${today} - 7), 0)::float8 as "lastWeek"
      from takeovers where site_id = ${siteId}`,
    on,
  );
  return counted!;
}
