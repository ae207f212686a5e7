import { sql } from "kysely";
import { type Database, type Executor, row, rows } from "../../db/pool.ts";
import type { RunRef } from "../queries.ts";

/** The answer of a push service with a final code. `said`: its status and words, no more than 220 characters. */
export type UnknownReason = { pushService: string; code: number; said: string };

/**
 * Records an answer that Pressbell does not know, for the run's view. It keeps the first answer for each push service
 * and code. Returns whether no stored run has this answer yet; the caller then logs it.
 */
export async function recordUnknownReason(
  db: Database,
  { siteId, runId }: RunRef,
  { pushService, code, said }: UnknownReason,
): Promise<boolean> {
  const recorded = await row(
    sql<{ isNew: boolean }>`insert into run_unknown_reasons (site_id, run_id, push_service, code, said)
      select site_id, id, ${pushService}, ${code}, ${said} from runs where site_id = ${siteId} and id = ${runId} for key share
      on conflict do nothing
      returning not exists (
        select from run_unknown_reasons where push_service = ${pushService} and said = ${said}) as "isNew"`,
    db,
  );
  return recorded?.isNew ?? false;
}

/** Returns the unknown reasons of a run, no more than one for each push service and code. */
export function unknownReasonsOfRun(on: Executor, { siteId, runId }: RunRef): Promise<UnknownReason[]> {
  return rows(
    sql<UnknownReason>`select push_service as "pushService", code, said from run_unknown_reasons
      where site_id = ${siteId} and run_id = ${runId}`,
    on,
  );
}
