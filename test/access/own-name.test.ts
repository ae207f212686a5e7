import { beforeAll, expect, test } from "vitest";
import { type CampaignFixture, openCampaignFixture, validFields } from "../campaigns/fixture.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";

let fixture: CampaignFixture;
let cookie: string;
let editor: string;
let root: string;

const call = (method: string, path: string, body?: unknown) =>
  fixture.api.call(method, path, { headers: { cookie }, body });
const rename = (name: unknown) => call("POST", "/dashboard/api/auth/name", { name });
const email = () => ownerEmail(fixture.publisher.tenantId);
const members = async () => (await call("GET", `${root}/members`)).body.members;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { tenantId, siteId } = fixture.publisher;
  root = `/dashboard/api/tenants/${tenantId}`;
  cookie = await signIn(fixture.api, ownerEmail(tenantId));
  editor = await signInAs(fixture.app, fixture.api, tenantId, "editor");
  await subscribe(fixture.app, siteId, createSubscriptions(2));
});

test("a member without a name is called by the address alone", async () => {
  expect((await members())[0]).toMatchObject({ email: email(), label: email() });
});

test("a member's name stands beside the address wherever pages show the person", async () => {
  const { siteId } = fixture.publisher;
  expect((await rename(" Jo of the night desk ")).status).toBe(200);
  const label = `Jo of the night desk (${email()})`;
  expect((await call("GET", "/dashboard/api/start")).body.user).toMatchObject({ name: "Jo of the night desk" });
  expect((await members())[0]).toMatchObject({ email: email(), label });
  await call("PATCH", root, { dpaAccepted: true, confirmAbove: 1 });
  const { campaignId } = (await call("POST", `${root}/campaigns`, { ...validFields, siteId })).body;
  expect((await call("POST", `${root}/campaigns/${campaignId}/approval-request`, {})).body).toMatchObject({
    askedBy: { label },
  });
  expect((await call("GET", `${root}/sites/${siteId}/overview`)).body.requests).toMatchObject([{ askedBy: { label } }]);
  const { data } = (await call("GET", `${root}/audit-log?kind=sends`)).body;
  expect(data[0]).toMatchObject({ event: "send.requested", by: { kind: "user", name: label } });
  expect((await call("GET", `${root}/audit-log/people`)).body.data).toContainEqual(expect.objectContaining({ label }));
  const { runId } = (await fixture.post(campaignId, "send")).body;
  expect(runId).toEqual(expect.any(String));
  expect((await call("GET", `${root}/sites/${siteId}/campaign-choices`)).body.senders).toMatchObject([{ name: label }]);
  const file = await fetch(`${fixture.api.url}${root}/campaigns.csv`, { headers: { cookie } });
  expect(await file.text()).toContain(`,${label},\r\n`);
});

test("the API for programs has a sender's name, and not the address", async () => {
  const { siteId, tenantId, apiKey } = fixture.publisher;
  const day = new Date().toISOString().slice(0, 10);
  const path = `/v1/tenants/${tenantId}/sites/${siteId}/figures?from=${day}&to=${day}&by=sender`;
  const { body } = await fixture.api.call("GET", path, { key: apiKey });
  expect(body.data).toMatchObject([{ name: "Jo of the night desk" }]);
});

test("who joins by an invitation may give a name", async () => {
  const { token } = (await call("POST", `${root}/invitations`, { email: "ben@example.org", role: "viewer" })).body;
  const accept = (name: string) =>
    fixture.api.call("POST", "/dashboard/api/invitations/accept", { body: { token, password: "long enough", name } });
  expect(await accept("x".repeat(81))).toMatchObject({ status: 400, body: { errors: [{ path: "/name" }] } });
  expect((await accept("Ben")).status).toBe(200);
  expect((await members())[2]).toMatchObject({ label: "Ben (ben@example.org)" });
});

test.each([[""], ["x".repeat(81)], ["two\nlines"], [7], [undefined]])("the name %j is refused", async (name) => {
  expect(await rename(name)).toMatchObject({ status: 400, body: { errors: [{ path: "/name" }] } });
});

test("nobody renames another, or without a session", async () => {
  const body = { name: "Editor" };
  const renamed = await fixture.api.call("POST", "/dashboard/api/auth/name", { headers: { cookie: editor }, body });
  expect(renamed.status).toBe(200);
  expect((await members())[0].label).toContain("Jo of the night desk");
  expect((await fixture.api.call("POST", "/dashboard/api/auth/name", { body })).status).toBe(401);
});
