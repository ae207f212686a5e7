import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeDrill, readDrill, runDrillNow } from "../../src/automations/drill/change-drill.ts";
import { runDrills } from "../../src/automations/drill/run-drills.ts";
import { rows } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { runHere } from "../cli/run-here.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { planAll, subscriberIds } from "../runs/fixture.ts";
import { answerDrill, drillOf, markCanary } from "./drill-fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let siteId: string;
let path: string;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate drills`.execute(app.db);
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
  path = `/dashboard/api/tenants/${publisher.tenantId}/sites/${siteId}/drill`;
  await subscribe(app, siteId, createSubscriptions(1), "Phone");
});

const change = (body: unknown) => changeDrill(app, publisher.actor, { siteId, body });
const as = async (role: "viewer" | "editor" | "owner") => ({
  cookie: await signInAs(app, api, publisher.tenantId, role),
});

/** Returns the faults of a change that is refused. */
async function faultsOf(body: unknown): Promise<string[]> {
  const refusal = await change(body).then(
    () => [],
    ({ details }) => details.errors,
  );
  return refusal.map(({ path: field, message }: { path: string; message: string }) => `${field} ${message}`);
}

test("a site has no drill at first; owners choose a canary, and every member sees it", async () => {
  const [deviceId] = (await subscriberIds(app, siteId)).map(String);
  const testDevices = [{ deviceId, label: "Phone" }];
  const none = { canaryId: null, everyMinutes: 60, last: null, failure: null, testDevices };
  expect(await readDrill(app, publisher.actor, { siteId })).toEqual(none);
  await runDrills(app);
  const body = { canaryId: deviceId, everyMinutes: 15 };
  for (const role of ["viewer", "editor"] as const) {
    const headers = await as(role);
    expect((await api.call("PATCH", path, { headers, body })).status).toBe(403);
    expect((await api.call("POST", `${path}/run`, { headers })).status).toBe(403);
  }
  const owner = await as("owner");
  expect(await api.call("PATCH", path, { headers: owner, body })).toMatchObject({ status: 200, body });
  expect((await api.call("POST", `${path}/run`, { headers: owner })).body.last).toMatchObject({ endedAt: null });
  expect((await api.call("GET", path, { headers: await as("viewer") })).body).toMatchObject({ ...body, testDevices });
});

test("a change is in the audit log, and one that changes nothing is not", async () => {
  const canaryId = await markCanary(app, publisher);
  await change({ canaryId });
  await change({ everyMinutes: 30 });
  const events = await rows(
    sql<{ changes: object }>`select details->'changes' as changes from audit_events
      where site_id = ${siteId} and event = 'drill.changed' order by id`,
    app.db,
  );
  expect(events.map(({ changes }) => changes)).toEqual([
    { canaryId: { from: null, to: canaryId } },
    { everyMinutes: { from: 60, to: 30 } },
  ]);
});

test("another time between drills keeps the last drill", async () => {
  await markCanary(app, publisher);
  await runDrills(app);
  expect((await change({ everyMinutes: 1_440 })).last).toMatchObject({ endedAt: null });
});

test("the number of a canary that has left stays, until another one is chosen", async () => {
  const canaryId = await markCanary(app, publisher);
  await deleteSubscribers(app, { siteId });
  expect(await change({ canaryId, everyMinutes: 30 })).toMatchObject({ canaryId, everyMinutes: 30, testDevices: [] });
});

describe("a drill is refused", () => {
  test("with all faults at once", async () => {
    expect(await faultsOf({ canaryId: "12x", everyMinutes: 14, more: 1 })).toEqual([
      "/everyMinutes must be a whole number from 15 to 1,440",
      "/more is not a field of this request",
      "/canaryId is no test device of this site",
    ]);
    expect(await faultsOf({ canaryId: 12 })).toEqual(["/canaryId must be the id of a test device, or null"]);
    for (const body of ["on", null, [1]]) expect(await faultsOf(body)).toEqual([" must be a JSON object"]);
  });

  test("to a reader, and to a test device of another site", async () => {
    const other = await createPublisher(app);
    await subscribe(app, other.siteId, createSubscriptions(1), "Theirs");
    await subscribe(app, siteId, createSubscriptions(1));
    const [reader, theirs] = [(await subscriberIds(app, siteId)).at(-1), (await subscriberIds(app, other.siteId))[0]];
    for (const id of [reader, theirs, "9".repeat(40)])
      expect(await faultsOf({ canaryId: String(id) })).toEqual(["/canaryId is no test device of this site"]);
  });

  test("before its time at a site without a canary", async () => {
    const refused = runDrillNow(app, publisher.actor, { siteId });
    await expect(refused).rejects.toMatchObject({
      code: "no_test_subscribers",
      message: expect.stringContaining("canary"),
    });
  });

  test("at a site of another tenant, or none", async () => {
    const other = await createPublisher(app);
    for (const unknown of [other.siteId, newId(), "none"]) {
      const of = { siteId: unknown };
      const calls = [
        () => changeDrill(app, publisher.actor, { ...of, body: {} }),
        () => readDrill(app, publisher.actor, of),
        () => runDrillNow(app, publisher.actor, of),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("pressbell drill", () => {
  const command = (...typed: string[]) => runHere(["drill", ...typed, "--site", siteId], settingsOf(app));

  test("set, show and off choose the canary, show it, and take it away", async () => {
    const [device] = await subscriberIds(app, siteId);
    const set = await command("set", "--canary", String(device), "--every", "120");
    expect(set.out).toContain(`canary: ${device}\neveryMinutes: 120\nlast: none\nresult: none\n`);
    const shown = JSON.parse((await command("show", "--json")).out);
    expect(shown).toEqual(await drillOf(app, publisher));
    expect((await command("off")).out).toContain("canary: none\n");
  });

  test("set refuses a device and a time that are wrong, by the options' names, and nothing to set", async () => {
    const wrong = await command("set", "--canary", "0", "--every", "soon");
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/--every must be a whole number from 15 to 1,440/);
    expect(wrong.err).toMatch(/--canary is no test device of this site/);
    expect((await command("set")).code).toBe(2);
  });

  test("run waits for the end, and exits with 1 if the drill has failed", async () => {
    await markCanary(app, publisher);
    const running = command("run");
    await eventually(async () => (await drillOf(app, publisher)).last !== null);
    await planAll(app);
    await answerDrill(app, publisher, finalCode.forbidden);
    const { code, out } = await running;
    expect(out).toMatch(/result: failed: accepted\ncause: The last fire drill was sent, but/);
    expect(code).toBe(1);
  });
});
