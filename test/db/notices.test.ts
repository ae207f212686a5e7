import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { listen, type Notice, notify } from "../../src/db/notices.ts";
import type { Executor } from "../../src/db/pool.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";

const app = await openTestApp();
let heard: [Notice[], Notice[]];

const tell = (on: Executor, notice: Notice) => sql`select ${notify(notice)}`.execute(on);
const listeners = async () =>
  (
    await sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
    and application_name = 'pressbell notices' and query like 'listen%'`.execute(app.db)
  ).rows;

/** Starts two processes that listen. */
beforeEach(async () => {
  heard = [[], []];
  const loops = heard.map((notices) => listen(app.connection, app.log, (notice) => notices.push(notice)));
  await eventually(async () => (await listeners()).length === 2);
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
});

test("every listener gets a notice when its transaction commits, and none of a rollback", async () => {
  const rolledBack = app.db.transaction().execute(async (tx) => {
    await tell(tx, "run");
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  await app.db.transaction().execute(async (tx) => {
    await tell(tx, "batches");
    await tell(tx, "batches");
  });
  await eventually(async () => heard.every((notices) => notices.length > 0));
  expect(heard).toEqual([["batches"], ["batches"]]);
});

test("a listener whose connection is lost opens another one", async () => {
  const lost = await listeners();
  await sql`select pg_terminate_backend(${lost[0]!.pid})`.execute(app.db);
  await eventually(async () => {
    const pids = (await listeners()).map(({ pid }) => pid);
    return pids.length === 2 && !pids.includes(lost[0]!.pid);
  });
  await tell(app.db, "run");
  await eventually(async () => heard.every((notices) => notices.includes("run")));
});

test("after stop nothing is heard, and no connection is left", async () => {
  const loop = listen(app.connection, app.log, () => expect.fail("stopped"));
  await loop.stop();
  await tell(app.db, "run");
  await eventually(async () => heard.every((notices) => notices.includes("run")));
  await eventually(async () => (await listeners()).length === 2);
});
