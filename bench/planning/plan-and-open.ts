import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { PlanningError } from "../../src/runs/plan/plan-failure.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { openDueWaves } from "../../src/runs/waves/open-waves.ts";

/** Plans all runs and opens all waves as if they were due. Returns how many pages failed. */
export async function planAndOpen(app: App): Promise<number> {
  let failedPages = 0;
  for (let hasMore = true; hasMore; ) {
    try {
      hasMore = await planNextPage(app.db);
    } catch (error) {
      if (!(error instanceof PlanningError)) throw error;
      failedPages++;
      await sql`update runs set plan_again_at = null where plan_again_at is not null`.execute(app.db);
    }
  }
  await sql`update run_waves set opens_at = now() where opened_at is null and ended_at is null`.execute(app.db);
  for (;;) {
    const { hasMore, errors } = await openDueWaves(app.db);
    if (errors.length > 0) throw errors[0];
    if (!hasMore) return failedPages;
  }
}

/** Ends all runs, so that no planner looks at them again. */
export async function endRuns(app: App): Promise<void> {
  await sql`update runs set status = 'completed', finished_at = now() where finished_at is null`.execute(app.db);
  await sql`delete from muted_stories`.execute(app.db);
}
