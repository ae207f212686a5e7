import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { isReachable, isUnproven } from "../../src/subscribers/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { changeSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";

test("the index from which the audience is counted holds exactly the reachable subscribers", async () => {
  const app = await openTestApp();
  const plan = await app.db.transaction().execute(async (tx) => {
    // This makes the planner treat the few rows of a test like a million.
    await sql`set local enable_seqscan = off`.execute(tx);
    return rows(
      sql<{ "QUERY PLAN": string }>`explain select count(*) from subscribers s
        where s.site_id = ${newId()} and not s.is_test and ${isReachable}`,
      tx,
    );
  });
  const lines = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(lines).toContain("Index Only Scan using reachable_subscribers");
  expect(lines).not.toContain("Filter");
});

test("unproven subscribers are found by an index of registrations alone", async () => {
  const app = await openTestApp();
  const { siteId } = await createPublisher(app);
  await insertSubscribers(app, siteId, 20_000);
  await changeSubscribers(app, { siteId, turn: { rest: 0, of: 100 } }, { isRegistered: true });
  await sql`analyze subscribers`.execute(app.db);
  const plan = await rows(
    sql<{ "QUERY PLAN": string }>`explain select count(*) from subscribers s
      where s.site_id = ${siteId} and not s.is_test and ${isReachable} and ${isUnproven}`,
    app.db,
  );
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toMatch(/registered_subscribers\W.*created_at > /s);
});
