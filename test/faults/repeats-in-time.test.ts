import { expect, test } from "vitest";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { endLeasesOf } from "./fixture.ts";
import { now, type PushReceipt } from "./history.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

/** The default of a thread. */
const inFlight = 10_000;
const recipients = 25_000;
/** A kill may repeat only messages of this last span in ms, if answers take less than a quarter of a second. */
const promisedMs = 500;

test("a killed worker at full speed repeats only its last half second, each repeat counted", () =>
  withFixture({ postgres, recipients, answerDelayMs: 100 }, async (fixture) => {
    const settings = { IN_FLIGHT_MAX: String(inFlight) };
    const [victim] = await Promise.all([fixture.start("worker", { settings }), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(recipients / 3);
    const killedAt = now();
    await victim.kill();
    await endLeasesOf(fixture, victim);
    await fixture.start("worker", { settings });
    expect(await fixture.ended(runId)).toBe("completed");

    const { receipts, runs, lagMs } = await fixture.evidence();
    const readers = [...Map.groupBy(receipts, ({ index }) => index).values()];
    const repeated = readers.filter((all) => all.length > 1).map(firstOf);
    expect(readers).toHaveLength(recipients);
    expect(repeated.length).toBeGreaterThan(0);
    expect(repeated.length).toBeLessThanOrEqual(recipients / 10);
    expect(Math.max(...repeated.map(({ at }) => killedAt - at))).toBeLessThan(scaleByLoad(promisedMs) + lagMs);
    // A message also counts if its intent was committed but it was not posted yet.
    expect(runs[0]!.sums).toMatchObject({ accepted: recipients, unknown: 0 });
    expect(runs[0]!.sums.repeated).toBeGreaterThanOrEqual(repeated.length);
    expect(runs[0]!.sums.repeated).toBeLessThanOrEqual(recipients / 10);
  }));

test("a killed worker repeats and reports a tenth of a run at most, also with slow answers", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const settings = { IN_FLIGHT_MAX: String(inFlight) };
    const [victim] = await Promise.all([fixture.start("worker", { settings }), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(2_500);
    await victim.kill();
    await endLeasesOf(fixture, victim);
    await fixture.start("worker", { settings });
    expect(await fixture.ended(runId)).toBe("completed");
    const { runs } = await fixture.evidence();
    expect(runs[0]!.sums).toMatchObject({ accepted: 5_000, unknown: 0 });
    expect(runs[0]!.sums.repeated).toBeLessThanOrEqual(500);
    expect(await fixture.violations()).toEqual([]);
  }));

function firstOf(receipts: PushReceipt[]): PushReceipt {
  return receipts.reduce((first, receipt) => (receipt.at < first.at ? receipt : first));
}
