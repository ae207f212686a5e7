import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";

const origins = ["https://a.push.example", "https://b.push.example"];

test("a worker with other settings than a delivering one says so and waits for its end", async () => {
  const app = await openTestApp();
  const worker = (settings: Record<string, string>) => spawnProcess(["worker"], { ...settingsOf(app), ...settings });
  const entries = () => rows(sql<{ place: string }>`select place from delivering_processes order by id`, app.db);

  const first = worker({ PUSH_SERVICES: origins.join(","), GRACE_MINUTES: "10" });
  await first.printed(/delivering with/);
  const same = worker({ PUSH_SERVICES: origins.toReversed().join(","), GRACE_MINUTES: "10", WORKERS: "1" });
  await same.printed(/delivering with/);
  same.process.kill("SIGTERM");
  expect(await same.ended).toBe(0);

  const other = worker({ PUSH_SERVICES: origins[0]!, GRACE_MINUTES: "11" });
  const [, place] = await other.printed(
    /does not deliver: GRACE_MINUTES, PUSH_SERVICES differ from those of ([^"]+), which/,
  );
  expect(place).toContain(`process ${first.process.pid}`);
  expect(await entries()).toEqual([{ place }]);
  const stopped = worker({ PUSH_SERVICES: "" });
  await stopped.printed(/does not deliver/);
  stopped.process.kill("SIGTERM");
  expect(await stopped.ended).toBe(0);

  first.process.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  await other.printed(/delivering with/);
  // A killed process is left out once its entry has expired.
  other.process.kill("SIGKILL");
  await other.ended;
  await sql`update delivering_processes set seen_at = seen_at - interval '31 seconds'`.execute(app.db);
  const next = worker({});
  await next.printed(/delivering with/);
  next.process.kill("SIGTERM");
  expect(await next.ended).toBe(0);
  expect(await entries()).toEqual([]);
});
