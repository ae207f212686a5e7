import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { pruneBatches } from "../../src/runs/ledger/prune-batches.ts";
import { expireDormant } from "../../src/subscribers/expire-dormant.ts";
import { removeSite } from "../../src/tenants/sites/sites.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { now } from "./history.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

test("a site removed during a run posts nothing two seconds later, and its rows expire", () =>
  withFixture({ postgres, recipients: 3_000, answerDelayMs: 300 }, async (fixture) => {
    const { app, publisher, push } = fixture;
    const other = await fixture.addPublisher(300);
    const [worker, api] = await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const [{ runId }, others] = [await fixture.send(), await fixture.send(other)];
    await push.received(600);
    await removeSite(app, operatorOf(publisher.tenantId), { siteId: publisher.siteId });
    const removedAt = now();
    // Passes the time in which the site can be restored at once, while its last messages are in flight.
    await changeSites(app, { id: publisher.siteId }, { removedAt: ago("8 days") });
    expect(await runMaintenance(app.db, [expireDormant])).toEqual({ [expireDormant.name]: 3_000 });

    expect(await fixture.ended(runId)).toBe("failed");
    expect(await fixture.ended(others.runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
    const { lagMs, receipts, runs } = await fixture.evidence();
    const late = receipts.filter((receipt) => receipt.runId === runId && receipt.at > removedAt + 2_000 + lagMs);
    expect(late).toEqual([]);
    expect(runs.find((run) => run.runId === runId)!.sums.notSent).toBeGreaterThan(0);

    const shown = await fixture.call("GET", `/v1/runs/${runId}`);
    await changeRuns(app, { id: runId }, { finishedAt: ago(`${app.config.RECIPIENT_DAYS + 1} days`) });
    // Six batches: two pages of readers, each with readers of three ranks.
    const task = pruneBatches(app.config.RECIPIENT_DAYS);
    expect(await runMaintenance(app.db, [task])).toEqual({ [task.name]: 6 });
    expect(await rows(sql`select from run_recipients where run_id = ${runId}`, app.db)).toEqual([]);
    const kept = await fixture.call("GET", `/v1/runs/${runId}`);
    expect(kept.body).toEqual({ ...shown.body, finishedAt: kept.body.finishedAt });
    for (const { service } of [worker, api]) expect(service.output()).not.toMatch(/"level":[456]0/);
  }));
