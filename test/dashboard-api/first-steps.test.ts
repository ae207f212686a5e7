import { expect, test } from "vitest";
import { noteInstallation } from "../../src/tenants/sites/queries.ts";
import { openCampaignFixture } from "../campaigns/fixture.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { insertSiteDay } from "../fixtures/rows/receipts.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

const fixture = await openCampaignFixture();
const { app, api } = fixture;

async function stepsOf({ tenantId, siteId }: { tenantId: string; siteId: string }) {
  const cookie = await signIn(api, ownerEmail(tenantId));
  const path = `/dashboard/api/tenants/${tenantId}/sites/${siteId}/overview`;
  const { firstSteps } = (await api.call("GET", path, { headers: { cookie } })).body;
  return firstSteps === null ? null : Object.keys(firstSteps).filter((name) => firstSteps[name]);
}

test("a new site has no first step; a test device and imported readers are two, and no line", async () => {
  const site = await createPublisher(app);
  expect(await stepsOf(site)).toEqual([]);
  await subscribe(app, site.siteId, createSubscriptions(1), "Phone");
  expect(await stepsOf(site)).toEqual(["testDevice"]);
  await subscribe(app, site.siteId, createSubscriptions(2));
  expect(await stepsOf(site)).toEqual(["testDevice", "reader"]);
});

test("a browser that subscribes at the site has used the line and the worker file", async () => {
  const site = await createPublisher(app);
  const [subscription] = createSubscriptions(1);
  const path = `/sdk/sites/${site.siteId}/subscriptions`;
  const headers = { origin: "https://news.example" };
  expect((await api.call("POST", path, { headers, body: { subscription } })).status).toBe(201);
  expect(await stepsOf(site)).toEqual(["line", "worker", "reader"]);
});

test("a visit shows the line; a check shows line and worker, or changes nothing", async () => {
  const [visited, checked] = [await createPublisher(app), await createPublisher(app)];
  await insertSiteDay(app, visited.siteId, 0, { visits: 10 });
  expect(await stepsOf(visited)).toEqual(["line"]);
  await noteInstallation(app.db, checked.siteId, { line: true, worker: true });
  expect(await stepsOf(checked)).toEqual(["line", "worker"]);
  await noteInstallation(app.db, checked.siteId, { line: null, worker: null });
  expect(await stepsOf(checked)).toEqual(["line", "worker"]);
  await noteInstallation(app.db, checked.siteId, { line: true, worker: false });
  expect(await stepsOf(checked)).toEqual(["line"]);
});

test("the first notification is the last step, and after the second there are none", async () => {
  await fixture.post(await fixture.draft(), "send");
  expect(await stepsOf(fixture.publisher)).toContain("notification");
  await fixture.post(await fixture.draft(), "send");
  expect(await stepsOf(fixture.publisher)).toBeNull();
});
