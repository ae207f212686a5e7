import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeWinBack, readWinBack, readWinBackFigures } from "../../src/automations/win-back/change-win-back.ts";
import { row } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { look, winBack, winBackRuns, winBackWith } from "./win-back-fixture.ts";

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
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
  path = `/dashboard/api/tenants/${publisher.tenantId}/sites/${siteId}/win-back`;
});

const change = (body: unknown) => changeWinBack(app, publisher.actor, { siteId, body });
const stored = (over: object = {}) => ({ ...winBack(over), imageUrl: null });
const as = async (role: "viewer" | "editor") => ({ cookie: await signInAs(app, api, publisher.tenantId, role) });

/** Returns the faults of a change that is refused. */
async function faultsOf(body: unknown): Promise<string[]> {
  const refusal = await change(body).then(
    () => [],
    ({ details }) => details.errors,
  );
  return refusal.map(({ path: field, message }: { path: string; message: string }) => `${field} ${message}`).toSorted();
}

test("a site has no win-back at first; an editor writes one and a viewer reads it", async () => {
  const nothing = { enabled: false, afterDays: 60, title: "", body: "", url: "", imageUrl: null, afterwards: "keep" };
  expect(await readWinBack(app, publisher.actor, { siteId })).toEqual(nothing);
  const saved = await api.call("PATCH", path, { body: winBack(), headers: await as("editor") });
  expect(saved).toMatchObject({ status: 200, body: stored() });
  const viewer = await as("viewer");
  expect((await api.call("GET", path, { headers: viewer })).body).toEqual(saved.body);
  const figures = { accepted: 0, displayed: 0, clicked: 0, clickedReporting: 0, unsubscribed: 0, removed: 0 };
  expect((await api.call("GET", `${path}/figures`, { headers: viewer })).body).toEqual(figures);
  expect((await api.call("PATCH", path, { body: winBack(), headers: viewer })).status).toBe(403);
});

test("fields that a change does not name stay, and switched off it keeps its text", async () => {
  await change(winBack({ imageUrl: "https://news.example/a.png" }));
  expect(await change({ afterDays: 90 })).toMatchObject(winBack({ afterDays: 90 }));
  expect(await change({ enabled: false })).toMatchObject({ ...winBack({ afterDays: 90 }), enabled: false });
  expect(await change({ enabled: true, imageUrl: null })).toEqual(stored({ afterDays: 90 }));
});

test("a change is in the audit log, and one that changes nothing is not", async () => {
  await change(winBack());
  await change(winBack());
  await change({ afterwards: "remove" });
  await change({ afterwards: "remove" });
  const events = await row(
    sql<{ n: number; changes: object }>`select count(*) over () as n, details->'changes' as changes from audit_events
      where site_id = ${siteId} and event = 'win_back.changed' order by id desc limit 1`,
    app.db,
  );
  expect(events).toEqual({ n: 2, changes: { afterwards: { from: "keep", to: "remove" } } });
});

describe("a win-back is refused, with all faults at once,", () => {
  test("where its fields are wrong", async () => {
    const wrong = {
      afterDays: 6,
      title: "",
      body: "x".repeat(241),
      url: "javascript:alert(1)",
      afterwards: "no",
      more: 1,
    };
    const faults = [
      "/afterDays must be a whole number from 7 to 365",
      '/afterwards must be "keep" or "remove"',
      "/body must have at most 240 characters, and has 241",
      "/more is not a field of this request",
      "/title must not be empty",
      "/url must be an http(s):// URL without a user name",
    ];
    expect(await faultsOf({ ...winBack(), ...wrong })).toEqual(faults);
    expect(await faultsOf({ ...winBack(), ...wrong, enabled: false })).toEqual(faults);
    expect(await faultsOf({ enabled: "yes" })).toEqual(["/enabled must be true or false"]);
    for (const body of ["on", null, [1]]) expect(await faultsOf(body)).toEqual([" must be a JSON object"]);
  });

  test("where it is switched on without a text", async () => {
    expect(await faultsOf({ enabled: true })).toEqual([
      "/body must not be empty",
      "/title must not be empty",
      "/url must be an http(s):// URL without a user name",
    ]);
    expect(await change({ afterDays: 30 })).toMatchObject({ enabled: false, afterDays: 30, title: "" });
  });

  test("where its message is too large for push services, beside other faults", async () => {
    const long = `https://news.example/${"a".repeat(1_990)}`;
    expect(await faultsOf(winBack({ url: long, imageUrl: long, afterDays: 400 }))).toEqual([
      "/afterDays must be a whole number from 7 to 365",
      expect.stringMatching(/^\/imageUrl makes a message of \d+ bytes, and push services take 3993: shorten/),
    ]);
  });

  test("at a site of another tenant, or none", async () => {
    const other = await createPublisher(app);
    for (const unknown of [other.siteId, newId(), "none"]) {
      const of = { siteId: unknown };
      const calls = [
        () => changeWinBack(app, publisher.actor, { ...of, body: {} }),
        () => readWinBack(app, publisher.actor, of),
        () => readWinBackFigures(app, publisher.actor, of),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

test("a member alone does not switch it on for more people than one person may decide on", async () => {
  await subscribe(app, siteId, createSubscriptions(3));
  await changeSubscribers(app, { siteId }, { createdAt: ago("90 days") });
  await changeTenants(app, { id: publisher.tenantId }, { confirmAbove: 2 });
  const headers = await as("editor");
  const patch = (body: object) => api.call("PATCH", path, { headers, body });
  expect(await patch(winBack())).toMatchObject({ status: 409, body: { code: "confirmation_required" } });
  expect(await readWinBack(app, publisher.actor, { siteId })).toMatchObject({ enabled: false });
  expect(await patch(winBack({ afterDays: 120 }))).toMatchObject({ status: 200 });
  expect(await patch({ afterDays: 60 })).toMatchObject({ status: 409 });
  expect(await patch({ enabled: false, afterDays: 60 })).toMatchObject({ status: 200 });
  await winBackWith(app, publisher);
  await look(app);
  expect(await winBackRuns(app, siteId)).toMatchObject([{ audience: 3 }]);
  expect(await patch({ title: "Still here" })).toMatchObject({ status: 200 });
});
