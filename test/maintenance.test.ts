import { beforeAll, expect, test } from "vitest";
import type { App } from "../src/app.ts";
import { type MaintenanceTask, runMaintenance, startMaintenance } from "../src/maintenance.ts";
import { openTestApp } from "./fixtures/app.ts";
import { eventually } from "./fixtures/eventually.ts";

let app: App;

beforeAll(async () => {
  app = await openTestApp();
});

/** A chore of `pieces` pieces that notes how many of it were at work at once. */
function choreOf(name: string, pieces: number) {
  const seen = { now: 0, most: 0, starts: [] as (string | null)[] };
  const chore: MaintenanceTask = {
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
  return { chore, seen };
}

test("each chore is done to its end, piece by piece, from where the piece before stopped", async () => {
  const { chore, seen } = choreOf("one", 3);
  expect(await runMaintenance(app.db, [chore, choreOf("two", 1).chore])).toEqual({ one: 6, two: 2 });
  expect(seen.starts).toEqual([null, "1", "2"]);
});

test("of many processes one at a time does a piece of the same chore", async () => {
  const { chore, seen } = choreOf("shared", 20);
  await Promise.all(Array.from({ length: 5 }, () => runMaintenance(app.db, [chore])));
  expect(seen.most).toBe(1);
});

test("it goes on by itself, a chore that fails spoils nothing, and the end waits for the piece at work", async () => {
  const broken: MaintenanceTask = { name: "broken", sweep: () => Promise.reject(new Error("no such table")) };
  const { chore, seen } = choreOf("long", 1_000_000);
  const house = startMaintenance(app.db, app.log, [broken, chore], 0);
  await eventually(async () => seen.starts.length > 3);
  await house.stop();
  expect(seen.now).toBe(0);
  const { length } = seen.starts;
  await runMaintenance(app.db, [choreOf("other", 1).chore]);
  expect(seen.starts).toHaveLength(length);
});
