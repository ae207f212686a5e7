import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { maintenanceTasks } from "../../src/cli/maintenance-tasks.ts";
import { rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { runHere } from "../cli/run-here.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { ownerEmail } from "../fixtures/sign-in.ts";
import { createFullSite, type FullSite } from "./full-site.ts";
import { tablesWith } from "./scan.ts";

vi.setConfig({ testTimeout: 60_000 });

let app: App;
let api: Api;
let full: FullSite;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  full = await createFullSite(app, api);
});

const run = (words: string[]) => runHere(words, settingsOf(app));

/** Does once the maintenance of a running service. */
async function maintain(): Promise<void> {
  await sweepRuns(app.db);
  await runMaintenance(app.db, maintenanceTasks(app.config));
}

async function isErased(table: "sites" | "tenants", id: string): Promise<boolean> {
  const [found] = await rows(
    sql<{ isErased: boolean }>`select erase_at is not null as "isErased" from ${sql.table(table)} where id = ${id}`,
    app.db,
  );
  return found!.isErased;
}

test("site erase needs --yes, and maintenance leaves one audit event of the site", async () => {
  const { siteId, tenantId } = full.publisher;
  const refused = await run(["site", "erase", "--site", siteId]);
  expect(refused).toMatchObject({ out: "", err: expect.stringContaining("say --yes") });
  expect(refused.code).not.toBe(0);
  expect(await isErased("sites", siteId)).toBe(false);
  const erased = await run(["site", "erase", "--site", siteId.toUpperCase(), "--yes", "--json"]);
  expect(erased).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(erased.out)).toMatchObject({ siteId, erased: "soon" });
  await maintain();
  expect(await tablesWith(app, siteId, ...full.marks)).toEqual([]);
  expect(await tablesWith(app, full.siteName)).toEqual(["audit_events"]);
  expect(await tablesWith(app, tenantId)).toContain("tenants");
  expect(await run(["site", "erase", "--site", siteId, "--yes"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no site"),
  });
});

test("tenant erase needs --yes, and maintenance leaves nothing of the publisher", async () => {
  const { siteId, tenantId } = full.publisher;
  const refused = await run(["tenant", "erase", "--tenant", tenantId]);
  expect(refused).toMatchObject({ out: "", err: expect.stringContaining("say --yes") });
  expect(refused.code).not.toBe(0);
  expect(await isErased("tenants", tenantId)).toBe(false);
  const erased = await run(["tenant", "erase", "--tenant", tenantId, "--yes", "--json"]);
  expect(erased).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(erased.out)).toMatchObject({ tenantId, erased: "soon" });
  await maintain();
  expect(await tablesWith(app, tenantId, siteId, full.ownerId, ownerEmail(tenantId), ...full.marks)).toEqual([]);
});
