import { beforeAll, expect, test } from "vitest";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { agreementVersion } from "../../src/tenants/tenant.ts";
import { type CampaignFixture, endRuns, openCampaignFixture } from "../campaigns/fixture.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns, writeCodes } from "../fixtures/rows/runs.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";

let fixture: CampaignFixture;
let cookie: string;
let tenant: string;
let site: string;
const asOwner = (method: string, path: string, body?: unknown) =>
  fixture.api.call(method, path, { headers: { cookie }, body });

beforeAll(async () => {
  fixture = await openCampaignFixture({ PLANS: '{"small":{"audienceCap":10}}' });
  cookie = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
  tenant = `/dashboard/api/tenants/${fixture.publisher.tenantId}`;
  site = `${tenant}/sites/${fixture.publisher.siteId}`;
});

test("a site's name, origins and uncertain messages change; faults are reported by field", async () => {
  const change = { name: "  The Example  ", origins: ["https://m.news.example/"], onUncertain: "skip" };
  const set = { name: "The Example", origins: ["https://m.news.example"], onUncertain: "skip" };
  expect(await asOwner("PATCH", site, change)).toMatchObject({ status: 200, body: set });
  expect((await asOwner("GET", site)).body).toMatchObject(set);
  const start = (await asOwner("GET", "/dashboard/api/start")).body;
  expect(start.tenants[0].sites[0].name).toBe("The Example");
  const wrong = await asOwner("PATCH", site, { name: " ", origins: ["news.example"], onUncertain: "perhaps" });
  expect(wrong.status).toBe(400);
  const paths = wrong.body.errors.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(["/name", "/onUncertain", "/origins/0"]);
  expect((await asOwner("GET", site)).body).toMatchObject(set);
});

test("a further site takes the publisher's time zone", async () => {
  await asOwner("PATCH", site, { timeZone: "Europe/Lisbon" });
  const { siteId } = (await asOwner("POST", `${tenant}/sites`, { name: "Second", url: "https://second.example" })).body;
  expect((await asOwner("GET", `${tenant}/sites/${siteId}`)).body.timeZone).toBe("Europe/Lisbon");
});

test("only an owner can rename the publisher", async () => {
  expect((await asOwner("PATCH", tenant, { name: "Example Press" })).body).toMatchObject({ name: "Example Press" });
  expect(await asOwner("PATCH", tenant, { name: "" })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/name" }] },
  });
  const editor = await signInAs(fixture.app, fixture.api, fixture.publisher.tenantId, "editor");
  const refused = await fixture.api.call("PATCH", tenant, { headers: { cookie: editor }, body: { name: "Mine" } });
  expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
  expect((await asOwner("GET", tenant)).body.name).toBe("Example Press");
});

test("usage shows what was sent this month, and the plan's limit", async () => {
  const { siteId } = fixture.publisher;
  expect((await asOwner("GET", tenant)).body.usage).toEqual({
    plan: "small",
    audienceCap: 10,
    month: { sends: 0, accepted: 0, largestAudience: 0 },
  });
  await subscribe(fixture.app, siteId, createSubscriptions(4));
  const old = (await fixture.post(await fixture.draft(), "send")).body;
  const recent = (await fixture.post(await fixture.draft(), "send")).body;
  await endRuns(fixture.app);
  await changeRuns(fixture.app, { id: old.runId }, { createdAt: ago("40 days") });
  await writeCodes(fixture.app, recent.runId, Array(3).fill(finalCode.accepted));
  expect((await asOwner("GET", tenant)).body.usage.month).toEqual({ sends: 1, accepted: 3, largestAudience: 4 });
});

test("the agreement shows version, time and person; a new version stops no send", async () => {
  await changeTenants(fixture.app, {}, { hasAgreement: false, agreement: { version: null } });
  const accepted = (await asOwner("PATCH", tenant, { dpaAccepted: true })).body;
  const by = ownerEmail(fixture.publisher.tenantId);
  const agreement = { version: agreementVersion, acceptedVersion: agreementVersion, acceptedBy: by };
  expect(accepted).toMatchObject({ agreement, dpaAcceptedAt: expect.any(String) });
  expect((await asOwner("PATCH", tenant, { dpaAccepted: true })).body.dpaAcceptedAt).toBe(accepted.dpaAcceptedAt);

  await changeTenants(fixture.app, {}, { agreement: { version: "2020-01-01", by: "operator" } });
  const older = (await asOwner("GET", tenant)).body;
  expect(older.agreement).toMatchObject({ acceptedVersion: "2020-01-01", acceptedBy: "operator" });
  expect((await fixture.post(await fixture.draft(), "send")).status).toBe(202);
  const again = (await asOwner("PATCH", tenant, { dpaAccepted: true })).body;
  expect(again.agreement).toEqual(agreement);
  expect(again.dpaAcceptedAt).not.toBe(older.dpaAcceptedAt);
});
