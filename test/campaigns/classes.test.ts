import { beforeAll, beforeEach, expect, test } from "vitest";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { type CampaignFixture, inSeconds, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;
let tenant: string;
let site: string;
const cookies = {} as Record<"owner" | "editor", string>;
type Member = keyof typeof cookies;

const as = (member: Member, method: string, path: string, body?: unknown) =>
  fixture.api.call(method, `${tenant}${path}`, { headers: { cookie: cookies[member] }, body });
const everyone = ["owner", "editor", "key"];
/** Sets the rules of breaking news. The other classes get their usual rules. */
const rule = (breaking: object) => as("owner", "PATCH", site, { classes: { breaking, normal: {}, low: {} } });
const breaking = () => fixture.draft({ class: "breaking" });
const notAllowed = { status: 403, body: { code: "class_not_allowed", class: "breaking", senders: ["owner"] } };

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { tenantId, siteId } = fixture.publisher;
  tenant = `/dashboard/api/tenants/${tenantId}`;
  site = `/sites/${siteId}`;
  cookies.owner = await signIn(fixture.api, ownerEmail(tenantId));
  cookies.editor = await signInAs(fixture.app, fixture.api, tenantId, "editor");
  await subscribe(fixture.app, siteId, createSubscriptions(2));
});

/** Moves everything that was sent to two days ago. */
beforeEach(async () => {
  await changeRuns(fixture.app, { siteId: fixture.publisher.siteId }, { createdAt: ago("2 days") });
  await rule({});
});

test("owners rule for each class, and one that they do not name keeps its rules", async () => {
  const limited = { name: "Eil", senders: ["owner"], maxADay: 3 };
  await rule(limited);
  const changed = await as("owner", "PATCH", site, { classes: { low: { senders: ["key", "owner"] } } });
  expect(changed).toMatchObject({
    status: 200,
    body: {
      classes: {
        breaking: limited,
        normal: { name: null, senders: everyone, maxADay: null },
        low: { name: null, senders: ["owner", "key"], maxADay: null },
      },
    },
  });
  const events = (await as("owner", "GET", "/audit-log")).body.data;
  expect(events.some(({ details }: { details: { changes?: object } }) => "classes" in (details.changes ?? {}))).toBe(
    true,
  );
});

test("editors do not change the rules of classes", async () => {
  expect(await as("editor", "PATCH", site, { classes: { breaking: { senders: everyone } } })).toMatchObject({
    status: 403,
    body: { code: "forbidden" },
  });
});

test.for([
  ["no senders", "/classes/breaking/senders", { senders: [] }],
  ["an unknown sender", "/classes/breaking/senders/0", { senders: ["viewer"] }],
  ["no sends a day", "/classes/breaking/maxADay", { maxADay: 0 }],
  ["a long name", "/classes/breaking/name", { name: "n".repeat(31) }],
] as const)("rules with %s are refused", async ([_, path, breakingRule]) => {
  const refused = await as("owner", "PATCH", site, { classes: { breaking: breakingRule } });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});

test("a class that only owners send is refused to editors and keys, also at its schedule", async () => {
  await rule({ senders: ["owner"] });
  const campaignId = await breaking();
  expect(await as("editor", "POST", `/campaigns/${campaignId}/send`)).toMatchObject(notAllowed);
  expect(await as("editor", "POST", `/campaigns/${campaignId}/undo-window`, {})).toMatchObject(notAllowed);
  const schedule = { scheduleAt: inSeconds(60) };
  expect(await as("editor", "POST", `/campaigns/${campaignId}/schedule`, schedule)).toMatchObject(notAllowed);
  expect(await fixture.post(campaignId, "send")).toMatchObject(notAllowed);
  expect((await as("owner", "POST", `/campaigns/${campaignId}/send`)).status).toBe(202);
});

test("an editor does not make a scheduled campaign one of a class that only owners send", async () => {
  await rule({ senders: ["owner"] });
  const campaignId = await fixture.draft();
  expect((await as("editor", "POST", `/campaigns/${campaignId}/schedule`, { scheduleAt: inSeconds(600) })).status).toBe(
    200,
  );
  const change = () => as("editor", "PATCH", `/campaigns/${campaignId}/scheduled`, { class: "breaking" });
  expect(await change()).toMatchObject(notAllowed);
  expect(await fixture.read(campaignId)).toMatchObject({ status: "scheduled", class: "normal" });
});

test("an editor asks an owner for the class, whom another editor does not replace", async () => {
  await rule({ senders: ["owner"] });
  cookies.editor = await signInAs(fixture.app, fixture.api, fixture.publisher.tenantId, "editor");
  const other = await signInAs(fixture.app, fixture.api, fixture.publisher.tenantId, "editor");
  const campaignId = await breaking();
  const { body: request } = await as("editor", "POST", `/campaigns/${campaignId}/approval-request`, {});
  const approve = (cookie: string) =>
    fixture.api.call("POST", `${tenant}/campaigns/${campaignId}/approval-request/approve`, {
      headers: { cookie },
      body: { requestId: request.requestId },
    });
  expect(await approve(other)).toMatchObject(notAllowed);
  expect((await approve(cookies.owner)).status).toBe(200);
  expect((await fixture.read(campaignId)).status).toBe("sending");
});

test("a class has so many sends in 24 hours, which sends of others do not use up", async () => {
  await rule({ maxADay: 1 });
  expect((await fixture.post(await fixture.draft(), "send")).status).toBe(202);
  const both = [await breaking(), await breaking()];
  const answers = await Promise.all(both.map((campaignId) => fixture.post(campaignId, "send")));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: "class_limit" });
  const shut = async (ofClass: string) => (await as("editor", "GET", `${site}/audience?class=${ofClass}`)).body.shut;
  expect([await shut("breaking"), await shut("low")]).toEqual([[{ code: "class_limit" }], []]);
  await changeRuns(fixture.app, { siteId: fixture.publisher.siteId }, { createdAt: ago("25 hours") });
  const refused = both[answers.findIndex(({ status }) => status === 409)]!;
  expect((await fixture.post(refused, "send")).status).toBe(202);
});

test("a correction of breaking news does not count for the limit of its class", async () => {
  await rule({ maxADay: 1 });
  const corrects = await breaking();
  expect((await fixture.post(corrects, "send")).status).toBe(202);
  const correction = await fixture.draft({ class: "breaking", corrects });
  expect((await fixture.post(correction, "send")).status).toBe(202);
});
