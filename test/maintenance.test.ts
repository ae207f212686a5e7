import { beforeAll, expect, test } from "vitest";
import type { App } from "../src/app.ts";
import { type MaintenanceTask, PieceFault, runMaintenance, startMaintenance } from "../src/maintenance.ts";
import { openTestApp } from "./fixtures/app.ts";
import { eventually } from "./fixtures/eventually.ts";

let app: App;

beforeAll(async () => {
  app = await openTestApp();
});

/** Returns a task of `pieces` pieces. It records where each piece started, and how many ran at once. */
function taskOf(name: string, pieces: number) {
  const seen = { now: 0, most: 0, starts: [] as (string | null)[] };
  const task: MaintenanceTask = {
    name,
    async sweep(_tx, at) {
      seen.starts.push(at);
      seen.most = Math.max(seen.most, ++seen.now);
      await new Promise(setImmediate);
      seen.now--;
      const done = Number(at ?? 0) + 1;
      return { removed: 2, at: done < pieces ? String(done) : null };
    },
  };
  return { task, seen };
}

test("each task runs to its end, piece by piece, from where the piece before stopped", async () => {
  const { task, seen } = taskOf("one", 3);
  expect(await runMaintenance(app.db, [task, taskOf("two", 1).task])).toEqual({ one: 6, two: 2 });
  expect(seen.starts).toEqual([null, "1", "2"]);
});

test("a piece that says so stops no other, and its fault is handed on, or thrown", async () => {
  const { task, seen } = taskOf("other", 3);
  const cause = new Error("no such zone");
  const withFault: MaintenanceTask = {
    name: "with a fault",
    sweep: async (tx, at) => {
      if (at === "1") throw new PieceFault("the second piece failed", { nextAt: "2", cause });
      return task.sweep(tx, at);
    },
  };
  const faults: PieceFault[] = [];
  const keep = (fault: PieceFault) => void faults.push(fault);
  expect(await runMaintenance(app.db, [withFault], () => false, keep)).toEqual({ "with a fault": 4 });
  expect(seen.starts).toEqual([null, "2"]);
  expect(faults).toMatchObject([{ message: "the second piece failed", cause }]);
  await expect(runMaintenance(app.db, [withFault])).rejects.toThrow("the second piece failed");
});

test("of many processes, one at a time runs a piece of the same task", async () => {
  const { task, seen } = taskOf("shared", 20);
  await Promise.all(Array.from({ length: 5 }, () => runMaintenance(app.db, [task])));
  expect(seen.most).toBe(1);
});

test("it runs by itself, a failed task stops no other, and stop waits for the present piece", async () => {
  const broken: MaintenanceTask = { name: "broken", sweep: () => Promise.reject(new Error("no such table")) };
  const { task, seen } = taskOf("long", 1_000_000);
  const maintenance = startMaintenance(app.db, app.log, [broken, task], 0);
  await eventually(async () => seen.starts.length > 3);
  await maintenance.stop();
  expect(seen.now).toBe(0);
  const { length } = seen.starts;
  await runMaintenance(app.db, [taskOf("other", 1).task]);
  expect(seen.starts).toHaveLength(length);
});
