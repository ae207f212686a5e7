import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ConnectionError, createClient, PressbellError, type Run } from "../../client/client.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { endRuns, sendToReader, validFields } from "../campaigns/fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { endBatches } from "../fixtures/rows/runs.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { type ClientFixture, openClientFixture } from "./fixture.ts";

let fixture: ClientFixture;
beforeAll(async () => {
  fixture = await openClientFixture();
});
beforeEach(() => {
  fixture.faults.length = 0;
  fixture.requests.length = 0;
});

const manual = () => ({ ...validFields, siteId: fixture.publisher.siteId, mode: "manual" as const });
const runsOf = (campaignId: string) =>
  sql`select id from runs where campaign_id = ${campaignId}`.execute(fixture.app.db).then(({ rows }) => rows.length);

/** Returns the error that `call` throws. */
async function thrownBy(call: Promise<unknown>): Promise<PressbellError & ConnectionError> {
  return call.then(
    () => expect.unreachable("the call succeeds"),
    (error) => error,
  );
}

test.each(["dropAnswer", "loseAnswer"] as const)(
  "a send whose answer is lost (%s) is repeated with the same key, and starts exactly one run",
  async (fault) => {
    const { campaignId } = await fixture.client.campaigns.create(manual());
    fixture.requests.length = 0;
    fixture.faults.push(fault, fault);
    const sent = await fixture.client.campaigns.send(campaignId);
    expect(sent).toMatchObject({ campaignId, duplicate: true });
    expect(fixture.requests).toHaveLength(3);
    expect(new Set(fixture.requests.map(({ key }) => key)).size).toBe(1);
    expect(fixture.requests[0]!.key).toMatch(/^[\da-f-]{36}$/);
    expect(await runsOf(campaignId)).toBe(1);
  },
);

test("a creation whose answer is lost is repeated, and creates exactly one campaign", async () => {
  fixture.faults.push("dropAnswer");
  const externalId = "created once";
  const created = await fixture.client.campaigns.create({ ...manual(), externalId });
  expect(created).toMatchObject({ status: "draft", duplicate: true });
  const found = [];
  for await (const campaign of fixture.client.campaigns.list({ externalId })) found.push(campaign.campaignId);
  expect(found).toEqual([created.campaignId]);
});

test("a silent service counts as a lost answer after the time for an attempt", async () => {
  const { campaignId } = await fixture.client.campaigns.create(manual());
  fixture.faults.push("silence");
  const sent = await fixture.clientWith({ timeoutMs: 1_000 }).campaigns.send(campaignId, { idempotencyKey: "mine" });
  expect(sent.duplicate).toBe(true);
  expect(await runsOf(campaignId)).toBe(1);
  const thrown = await thrownBy(fixture.clientWith({ timeoutMs: 1, retries: 0 }).campaigns.read(campaignId));
  expect(thrown).toBeInstanceOf(ConnectionError);
  expect(thrown.message).toContain("did not answer within 1 ms");
});

test("what would happen twice is not repeated after a lost answer", async () => {
  const { campaigns } = fixture.client;
  const { campaignId } = await campaigns.create(manual());
  const calls = [
    () => campaigns.change(campaignId, { title: "The bridge opens" }),
    () => campaigns.schedule(campaignId, new Date(Date.now() + 3_600_000)),
    () => campaigns.test(campaignId),
    () => campaigns.cancel(campaignId),
    () => campaigns.update(campaignId, { title: "The bridge is open" }),
  ];
  for (const call of calls) {
    fixture.requests.length = 0;
    fixture.faults.push("dropAnswer");
    expect(await thrownBy(call())).toBeInstanceOf(ConnectionError);
    expect(fixture.requests).toHaveLength(1);
  }
  // The service had accepted the calls. The client cannot know this, so its caller has to read the campaign.
  const now = await campaigns.read(campaignId);
  expect(now).toMatchObject({ status: "cancelled", title: "The bridge opens" });
});

test("an update and the list of updates answer; a lost answer hides no other person's update", async () => {
  const { campaigns } = fixture.client;
  const { campaignId } = await campaigns.create(manual());
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(1));
  const { runId } = (await sendToReader(fixture, campaignId)).body;
  while (await planNextPage(fixture.app.db));
  await endBatches(fixture.app, { run: runId });
  await endRuns(fixture.app);
  expect(await campaigns.updates(campaignId)).toEqual([]);
  const first = await campaigns.update(campaignId, { title: "1:0" });
  expect(first).toMatchObject({ campaignId, duplicate: false });
  expect(await campaigns.update(campaignId, { title: "1:0" })).toMatchObject({ runId: first.runId, duplicate: true });
  fixture.requests.length = 0;
  fixture.faults.push("dropAnswer");
  const lost = thrownBy(campaigns.update(campaignId, { title: "1:1" }));
  expect(await lost).toBeInstanceOf(ConnectionError);
  await campaigns.update(campaignId, { title: "2:1", body: "Half-time." });
  expect(fixture.requests).toHaveLength(2);
  const updates = await campaigns.updates(campaignId);
  expect(updates.map(({ title }) => title)).toEqual(["2:1", "1:1", "1:0"]);
  expect(updates[0]).toMatchObject({ campaignId, body: "Half-time.", imageUrl: null });
  await deleteSubscribers(fixture.app, { siteId: fixture.publisher.siteId });
});

test("a body that JSON cannot hold is a TypeError at once, and no request", async () => {
  const circular: Record<string, unknown> = manual();
  circular.self = circular;
  for (const body of [{ ...manual(), ttlSeconds: 60n }, circular]) {
    const thrown = await thrownBy(fixture.client.campaigns.create(body as never));
    expect(thrown).toBeInstanceOf(TypeError);
  }
  expect(fixture.requests).toHaveLength(0);
});

test("a request that was limited was not taken, so every call is repeated when Retry-After says", async () => {
  const { campaignId } = await fixture.client.campaigns.create(manual());
  const limited = { status: 429, headers: { "retry-after": "0" }, body: '{"code":"rate_limited","message":"Wait."}' };
  fixture.faults.push(limited, limited);
  expect(await fixture.client.campaigns.cancel(campaignId)).toMatchObject({ status: "cancelled" });

  const inAnHour = { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() };
  fixture.requests.length = 0;
  fixture.faults.push({ ...limited, headers: inAnHour });
  const thrown = await thrownBy(fixture.client.campaigns.read(campaignId));
  expect(thrown).toMatchObject({ code: "rate_limited", status: 429 });
  expect(thrown.retryAfterMs).toBeGreaterThan(3_500_000);
  expect(fixture.requests).toHaveLength(1);
});

test("a service that stays away is asked a few times, and its last failure is thrown", async () => {
  fixture.faults.push(...Array(3).fill({ status: 502, body: "<h1>Bad gateway</h1>" }));
  const thrown = await thrownBy(fixture.clientWith({ retries: 2 }).sites.listPage());
  expect(thrown).toMatchObject({ name: "PressbellError", code: "unexpected_answer", status: 502, requestId: null });
  expect(fixture.requests).toHaveLength(3);
});

test("a refusal is thrown with its code, status, id, faults and details, and is not repeated", async () => {
  const { client } = fixture;
  const faulty = { ...manual(), title: "", ttlSeconds: 1 };
  const invalid = await thrownBy(client.campaigns.create(faulty));
  expect(invalid).toBeInstanceOf(PressbellError);
  expect(invalid).toMatchObject({ code: "validation_failed", status: 400 });
  expect(invalid.faults.map(({ path }) => path)).toEqual(["/ttlSeconds", "/title"]);
  expect(invalid.requestId).toMatch(/^[\da-f-]{36}$/);
  expect(fixture.requests).toHaveLength(1);

  const { campaignId } = await client.campaigns.create(manual());
  await client.campaigns.cancel(campaignId);
  const late = await thrownBy(client.campaigns.send(campaignId));
  expect(late).toMatchObject({
    code: "illegal_transition",
    status: 409,
    details: { from: "cancelled", to: "sending" },
  });

  const stranger = await createPublisher(fixture.app);
  const foreign = await thrownBy(fixture.clientWith({ tenantId: stranger.tenantId }).sites.listPage());
  expect(foreign).toMatchObject({ code: "tenant_mismatch", status: 403 });
  const unknown = await thrownBy(fixture.clientWith({ apiKey: "pbk_wrong" }).campaigns.read(campaignId));
  expect(unknown).toMatchObject({ code: "unauthenticated", status: 401 });
  expect(JSON.stringify(unknown) + unknown.stack).not.toContain("pbk_wrong");
});

test("an answer that is not the API's is an error with the address, also a redirect", async () => {
  fixture.faults.push({ status: 301, headers: { location: "https://push.example.org/" } }, { status: 200, body: "Hi" });
  for (const status of [301, 200]) {
    const thrown = await thrownBy(fixture.client.sites.listPage());
    expect(thrown).toMatchObject({ code: "unexpected_answer", status });
    expect(thrown.message).toContain("Check the service's address");
  }
  expect(fixture.requests).toHaveLength(2);
});

test("wrong options and keys are refused before a request, without the API key", async () => {
  const { tenantId, apiKey } = fixture.publisher;
  const good = { url: "https://push.example.org", apiKey, tenantId };
  expect(() => createClient({ ...good, url: "push.example.org" })).toThrow(TypeError);
  expect(() => createClient({ ...good, tenantId: "" })).toThrow(TypeError);
  // The setting is missing, as it may be in the example of the docs.
  expect(() => createClient({ ...good, apiKey: undefined as never })).toThrow("`apiKey` must be");
  const shown = () => createClient({ ...good, apiKey: "pbk_two\nlines" });
  expect(shown).toThrow("`apiKey` must be the secret of an API key, pbk_…");
  await expect(fixture.client.campaigns.send("x", { idempotencyKey: "größe" })).rejects.toThrow(TypeError);
  await expect(fixture.client.campaigns.schedule("x", new Date("soon"))).rejects.toThrow(TypeError);
  expect(fixture.requests).toHaveLength(0);
});

test("a list is read page by page as far as its reader goes, with the same filters", async () => {
  const externalId = "paged";
  const ids: string[] = [];
  for (let n = 0; n < 5; n++)
    ids.unshift((await fixture.client.campaigns.create({ ...manual(), externalId })).campaignId);
  fixture.requests.length = 0;
  const found: string[] = [];
  for await (const { campaignId } of fixture.client.campaigns.list({ externalId }, { limit: 2 }))
    found.push(campaignId);
  expect(found).toEqual(ids);
  expect(fixture.requests).toHaveLength(3);

  fixture.requests.length = 0;
  for await (const { campaignId } of fixture.client.campaigns.list({ externalId, status: "draft" }, { limit: 2 })) {
    if (campaignId === ids[1]) break;
  }
  expect(fixture.requests).toHaveLength(1);
  const sites = [];
  for await (const site of fixture.client.sites.list()) sites.push(site.siteId);
  expect(sites).toEqual([fixture.publisher.siteId]);
});

test("waitForRun reports progress until the run has ended, and an abort ends the wait at once", async () => {
  const { client } = fixture;
  const { campaignId } = await client.campaigns.create(manual());
  const { runId } = (await sendToReader(fixture, campaignId)).body;
  const controller = new AbortController();
  const reason = new Error("the editor has left");
  const left = client.runs.waitForRun(runId, { signal: controller.signal, onProgress: () => controller.abort(reason) });
  expect(await thrownBy(left)).toBe(reason);

  const seen: Run["status"][] = [];
  let closing: Promise<void> | undefined;
  const onProgress = ({ status }: Run) => {
    seen.push(status);
    closing ??= endRuns(fixture.app);
  };
  const run = await client.runs.waitForRun(runId, { onProgress });
  await closing;
  expect(run.finishedAt).not.toBeNull();
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toBe("completed");
  await expect(client.runs.stop(runId)).rejects.toMatchObject({ code: "illegal_transition" });
});

test("a signal aborts a request and the wait before a repetition; nothing is sent later", async () => {
  for (const fault of ["silence", { status: 503, headers: { "retry-after": "30" } }] as const) {
    fixture.requests.length = 0;
    fixture.faults.push(fault);
    const controller = new AbortController();
    const call = thrownBy(fixture.client.sites.listPage({ signal: controller.signal }));
    await eventually(async () => fixture.requests.length === 1);
    controller.abort();
    expect((await call).name).toBe("AbortError");
    await expect(fixture.client.sites.listPage({ signal: controller.signal })).rejects.toThrow();
    expect(fixture.requests).toHaveLength(1);
  }
});
