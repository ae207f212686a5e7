import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { rows } from "../../src/db/database.ts";
import { keepHouse } from "../../src/housekeeping.ts";
import { keptDays, pruneRuns } from "../../src/runs/prune-runs.ts";
import { removeDormant } from "../../src/subscribers/remove-dormant.ts";
import { removeSite } from "../../src/tenants/remove-site.ts";
import { operatorOf } from "../worlds/publisher.ts";
import { now } from "./history.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { inTrial } from "./trial.ts";

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  return postgres.close;
});

test("a site that is removed amid a run: nothing of it is posted two seconds later, its rows go, and the run of another site goes on", () =>
  inTrial({ postgres, recipients: 3_000, answerDelayMs: 300 }, async (trial) => {
    const { app, publisher, push } = trial;
    const other = await trial.addPublisher(300);
    const [worker, api] = await Promise.all([trial.start("worker"), trial.start("api")]);
    const [{ runId }, others] = [await trial.send(), await trial.send(other)];
    await push.received(600);
    await removeSite(app, operatorOf(publisher.tenantId), { siteId: publisher.siteId });
    const removedAt = now();
    // At once, while its last messages are on their way.
    expect(await keepHouse(app.db, [removeDormant])).toEqual({ [removeDormant.name]: 3_000 });

    expect(await trial.ended(runId)).toBe("failed");
    expect(await trial.ended(others.runId)).toBe("completed");
    expect(await trial.faults()).toEqual([]);
    const { lagMs, receipts, runs } = await trial.evidence();
    const late = receipts.filter((receipt) => receipt.runId === runId && receipt.at > removedAt + 2_000 + lagMs);
    expect(late).toEqual([]);
    expect(runs.find((run) => run.runId === runId)!.sums.notSent).toBeGreaterThan(0);

    const shown = await trial.call("GET", `/v1/runs/${runId}`);
    await sql`update runs set finished_at = now() - make_interval(days => ${keptDays + 1}) where id = ${runId}`.execute(
      app.db,
    );
    expect(await keepHouse(app.db, [pruneRuns])).toEqual({ [pruneRuns.name]: 3 });
    expect(await rows(sql`select from run_recipients where run_id = ${runId}`, app.db)).toEqual([]);
    const kept = await trial.call("GET", `/v1/runs/${runId}`);
    expect(kept.body).toEqual({ ...shown.body, finishedAt: kept.body.finishedAt });
    for (const { service } of [worker, api]) expect(service.output()).not.toMatch(/"level":[456]0/);
  }));
