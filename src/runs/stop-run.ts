import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { noteDeed } from "../audit/note-deed.ts";
import { inTenant } from "../db/database.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { moveRun, runOfTenant } from "./queries.ts";
import type { RunView } from "./run.ts";
import { viewRecord } from "./view-run.ts";

/**
 * Stops a live run: nobody starts another POST more than a second after this returns. Stopping twice is the same
 * answer. Returns the run. Throws `not_found`, and `illegal_transition` for a finished run or a test run.
 */
export async function stopRun(app: App, actor: Actor, input: { runId: string }): Promise<RunView> {
  if (!isId(input.runId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const run = await runOfTenant(tx, actor.tenantId, input.runId);
    if (run === undefined) throw appError("not_found");
    const ref = { siteId: run.siteId, runId: run.id };
    const moved = run.kind === "live" && (await moveRun(tx, ref, "stopping"));
    const now = (await runOfTenant(tx, actor.tenantId, input.runId))!;
    if (!moved && now.status !== "stopping" && now.status !== "stopped") {
      throw appError("illegal_transition", {
        message:
          run.kind === "test" ? "A test run ends by itself within seconds." : `This run is ${now.status} already.`,
        from: now.status,
        to: "stopping",
        allowed: [],
      });
    }
    if (moved) await noteDeed(tx, actor, "run.stopped", { siteId: run.siteId, subjectId: run.id });
    return viewRecord(tx, now);
  });
}
