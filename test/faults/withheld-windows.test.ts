import { expect, test } from "vitest";
import { eventually } from "../fixtures/eventually.ts";
import { endLeasesOf } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

test("a worker that was frozen while bodies waited for a window sends none of them on waking", () =>
  withFixture({ postgres, recipients: 300 }, async (fixture) => {
    const [frozen] = await Promise.all([fixture.start("worker"), fixture.start("api")]);
    await fixture.push.withholdWindows();
    const { runId } = await fixture.send();
    await eventually(async () => (await fixture.push.stats()).begun > 0, 20_000, "no request has begun");
    await frozen.freeze();
    const { begun } = await fixture.push.stats();
    await fixture.push.openWindows();
    await endLeasesOf(fixture, frozen);
    await fixture.start("worker");
    expect(await fixture.ended(runId)).toBe("completed");

    frozen.thaw();
    await eventually(async () => (await fixture.push.stats()).aborted === begun, 20_000, "no request was given up");
    const next = await fixture.send(await fixture.addPublisher(100));
    expect(await fixture.ended(next.runId)).toBe("completed");
    expect(await frozen.terminate()).toBe(0);
    expect(await fixture.push.stats()).toMatchObject({ accepted: 400, repeated: 0 });
    expect(await fixture.violations()).toEqual([]);
  }));
