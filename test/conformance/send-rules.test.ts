import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { campaignFixtureOf } from "../campaigns/fixture.ts";
import { serve } from "../fixtures/app.ts";
import { atOnce } from "../fixtures/at-once.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

const plans = JSON.stringify({ unlimited: {}, free: { audienceCap: 3 } });

/** Rules 5 and 6 of the specification. */
let fixture: ConformanceFixture;
beforeAll(async () => {
  fixture = await openConformanceFixture({ PLANS: plans });
});

const fixtureFor = async (options: Parameters<typeof createPublisher>[1] = {}) =>
  campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app, options));

describe("rule 5, a live send requires", () => {
  test("(a) that the DPA is accepted: without it 403 dpa_required, and nothing changes", async () => {
    const own = await fixtureFor({ dpaAccepted: false });
    const campaignId = await own.draft();
    expect(await own.post(campaignId, "send")).toMatchObject({ status: 403, body: { code: "dpa_required" } });
    expect(await own.read(campaignId)).toMatchObject({ status: "draft", runId: null });
    await changeTenant(fixture.app, own.publisher.actor, { dpaAccepted: true });
    expect((await own.post(campaignId, "send")).status).toBe(202);
  });

  test("(b) that sends are not paused for the tenant: 423 send_paused", async () => {
    const own = await fixtureFor();
    const campaignId = await own.draft();
    await changeTenant(fixture.app, own.publisher.actor, { paused: true });
    expect(await own.post(campaignId, "send")).toMatchObject({
      status: 423,
      body: { code: "send_paused", scope: "tenant" },
    });
    await changeTenant(fixture.app, own.publisher.actor, { paused: false });
    expect((await own.post(campaignId, "send")).status).toBe(202);
  });

  test("(b) that sends are not paused for the site: 423 send_paused", async () => {
    const own = await fixtureFor();
    const campaignId = await own.draft();
    const { siteId } = own.publisher;
    await changeSite(fixture.app, own.publisher.actor, { siteId, paused: true });
    expect(await own.post(campaignId, "send")).toMatchObject({
      status: 423,
      body: { code: "send_paused", scope: "site" },
    });
    await changeSite(fixture.app, own.publisher.actor, { siteId, paused: false });
    expect((await own.post(campaignId, "send")).status).toBe(202);
  });
});

describe("rule 5, a live send also requires", () => {
  test("(c) that billing permits the audience: over the plan's cap 402 billing", async () => {
    const own = await fixtureFor({ plan: "free" });
    await subscribe(fixture.app, own.publisher.siteId, createSubscriptions(4));
    const campaignId = await own.draft();
    expect(await own.post(campaignId, "send")).toMatchObject({
      status: 402,
      body: { code: "billing", plan: "free", audience: 4, audienceCap: 3 },
    });
    await changeTenant(fixture.app, own.publisher.actor, { plan: "unlimited" });
    expect((await own.post(campaignId, "send")).status).toBe(202);
  });

  test("(d) a sendable status: else 409 illegal_transition", async () => {
    const own = await fixtureFor();
    const { campaignId } = await own.campaignThatIs("cancelled");
    expect(await own.post(campaignId, "send")).toMatchObject({ status: 409, body: { code: "illegal_transition" } });
  });

  test("them in this order: the first shut gate answers", async () => {
    const own = await fixtureFor({ plan: "free", dpaAccepted: false });
    const { actor, siteId } = own.publisher;
    const { app } = fixture;
    await subscribe(app, siteId, createSubscriptions(4));
    const { campaignId } = await own.campaignThatIs("cancelled");
    await changeTenant(app, actor, { paused: true });
    await changeSite(app, actor, { siteId, paused: true });
    const answers: string[] = [];
    const openings: (() => Promise<unknown>)[] = [
      () => changeTenant(app, actor, { dpaAccepted: true }),
      () => changeTenant(app, actor, { paused: false }),
      () => changeSite(app, actor, { siteId, paused: false }),
      () => changeTenant(app, actor, { plan: "unlimited" }),
      async () => {},
    ];
    for (const openNext of openings) {
      const { code, scope } = (await own.post(campaignId, "send")).body;
      answers.push(scope === undefined ? code : `${code} ${scope}`);
      await openNext();
    }
    expect(answers).toEqual([
      "dpa_required",
      "send_paused tenant",
      "send_paused site",
      "billing",
      "illegal_transition",
    ]);
  });
});

describe("rule 6, a send with an Idempotency-Key", () => {
  const send = (campaignId: string, key: string) =>
    fixture.post(campaignId, "send", undefined, { "idempotency-key": key });

  test.each(["a UUID", "a random string"])("may have %s as its key", async (kind) => {
    const key = kind === "a UUID" ? randomUUID() : "k7/Z.random=string";
    expect(await send(await fixture.draft(), key)).toMatchObject({ status: 202, body: { duplicate: false } });
  });

  test('is answered on a replay with "duplicate": true and the existing run', async () => {
    const campaignId = await fixture.draft();
    const first = await send(campaignId, "morning");
    const replay = await send(campaignId, "morning");
    expect(replay).toMatchObject({ status: 202, body: { ...first.body, duplicate: true } });
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(first.headers.get("idempotent-replayed")).toBeNull();
  });

  test("may omit it: without a key the second send is 409 illegal_transition", async () => {
    const campaignId = await fixture.draft();
    expect((await fixture.post(campaignId, "send")).body.duplicate).toBe(false);
    expect(await fixture.post(campaignId, "send")).toMatchObject({ status: 409 });
  });

  test("is another send with another key: 409 illegal_transition", async () => {
    const campaignId = await fixture.draft();
    await send(campaignId, "first");
    expect(await send(campaignId, "second")).toMatchObject({ status: 409, body: { code: "illegal_transition" } });
  });

  test("starts one run when twenty arrive at once, and all others are duplicates of it", async () => {
    const campaignId = await fixture.draft();
    const answers = await atOnce(20, () => send(campaignId, "at-once"));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
  });

  test("may be repeated with the same key after a refusal, and is not a duplicate then", async () => {
    const other = await serve(fixture.app);
    const own = campaignFixtureOf(fixture.app, other, await createPublisher(fixture.app, { dpaAccepted: false }));
    const campaignId = await own.draft();
    const headers = { "idempotency-key": "after-refusal" };
    expect((await own.post(campaignId, "send", undefined, headers)).status).toBe(403);
    await changeTenant(fixture.app, own.publisher.actor, { dpaAccepted: true });
    const sent = await own.post(campaignId, "send", undefined, headers);
    expect(sent).toMatchObject({ status: 202, body: { duplicate: false } });
  });

  test.each([
    ["an empty one", ""],
    ["256 characters", "k".repeat(256)],
    ["a space inside", "two words"],
  ])("is refused with an invalid key: %s", async (_, key) => {
    expect(await send(await fixture.draft(), key)).toMatchObject({
      status: 400,
      body: { code: "validation_failed", errors: [{ path: "/headers/idempotency-key" }] },
    });
  });
});
