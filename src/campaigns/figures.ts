import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { isDelayed } from "./schedule-queries.ts";

/** What all schedules wait for. */
export type ScheduleFigures = {
  /** For how long the longest due campaign waits that no gate delays, s. 0: none waits. */
  lagSeconds: number;
  /** Due campaigns that a gate delays. */
  delayed: number;
};

/** Reads the figures for metrics: of the whole installation, by the database's clock. One scan of due campaigns. */
export async function readScheduleFigures(on: Executor, graceMinutes: number): Promise<ScheduleFigures> {
  return (await row(
    sql<ScheduleFigures>`select coalesce(extract(epoch from now() - min(at) filter (where not delayed)), 0)::float8
        as "lagSeconds", count(*) filter (where delayed) as delayed
      from (select c.scheduled_at as at, ${isDelayed(graceMinutes)} as delayed
        from campaigns c join sites s on s.id = c.site_id join tenants t on t.id = c.tenant_id
        where c.status = 'scheduled' and c.scheduled_at <= now()) due`,
    on,
  ))!;
}
