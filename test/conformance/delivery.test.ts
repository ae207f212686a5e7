import { beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../client/client.ts";
import { eventually } from "../fixtures/eventually.ts";
import { subscribe } from "../fixtures/publisher.ts";
import type { PushService } from "../fixtures/push-service/push-service.ts";
import { type ConformanceFixture, openDeliveringFixture } from "./fixture.ts";

const readers = 40;

/**
 * The table "Endpoints" in the section "What the service does" of the specification, and rules 4 and 9. The tests use a
 * real `start` process and a push service that checks the messages. They run in order, like the calls of a CMS that
 * uses our client.
 */
let fixture: ConformanceFixture & { pushService: PushService };
let client: Client;
let pushService: PushService;
let campaignId: string;
let devices: string[];

beforeAll(async () => {
  fixture = await openDeliveringFixture();
  ({ pushService } = fixture);
  const { apiKey, tenantId } = fixture.publisher;
  client = createClient({ url: fixture.api.url, apiKey, tenantId });
  const { siteId, vapidPublicKey } = fixture.publisher;
  const create = (count: number) => pushService.createSubscriptions(count, { applicationServerKey: vapidPublicKey });
  await subscribe(fixture.app, siteId, create(readers));
  const testDevices = create(2);
  devices = testDevices.map(({ endpoint }) => endpoint);
  await subscribe(fixture.app, siteId, testDevices, "Newsroom");
});

describe("the endpoints, in the order of the recommended flow", () => {
  test("POST /v1/content/preview answers with the content decision, and creates nothing", async () => {
    const { siteId } = fixture.publisher;
    const preview = await client.content.preview({ url: fixture.story(), siteId });
    expect(preview).toMatchObject({ decision: "send", audience: { reachable: readers } });
    expect((await client.campaigns.listPage()).data).toEqual([]);
  });

  test("POST /v1/tenants/:tenantId/campaigns answers with JSON that includes campaignId, a draft", async () => {
    const { siteId } = fixture.publisher;
    const created = await client.campaigns.create({ siteId, url: fixture.story() });
    expect(created).toMatchObject({ campaignId: expect.any(String), status: "draft" });
    campaignId = created.campaignId;
  });

  test("POST /v1/campaigns/:campaignId/test delivers to test devices only (rule 4)", async () => {
    const { results, ...test } = await client.campaigns.test(campaignId);
    expect(test).toMatchObject({ runId: expect.any(String), recipients: 2, accepted: 2 });
    const result = { label: "Newsroom", outcome: "accepted", status: 201 };
    expect(results).toMatchObject([result, result]);
    const receivers = [...pushService.receipts()].map(({ endpoint }) => endpoint);
    expect(receivers.sort()).toEqual([...devices].sort());
    expect((await client.campaigns.read(campaignId)).status).toBe("draft");
  });

  test("POST /v1/campaigns/:campaignId/send sends live to the audience, and never to test devices", async () => {
    pushService.reset();
    const sent = await client.campaigns.send(campaignId, { idempotencyKey: "the-morning-push" });
    expect(sent).toMatchObject({ campaignId, runId: expect.any(String), audience: readers, duplicate: false });
    const run = await client.runs.waitForRun(sent.runId);
    expect(run).toMatchObject({ kind: "live", status: "completed", audience: readers, accepted: readers });
    expect(pushService.stats()).toMatchObject({ accepted: readers, distinctSubscriptionsAccepted: readers });
    const receivers = new Set([...pushService.receipts()].map(({ endpoint }) => endpoint));
    expect(devices.filter((device) => receivers.has(device))).toEqual([]);
    expect((await client.campaigns.read(campaignId)).status).toBe("sent");
  });

  test('POST /v1/campaigns/:campaignId/send with the same key sends nothing: "duplicate": true', async () => {
    const replay = await client.campaigns.send(campaignId, { idempotencyKey: "the-morning-push" });
    expect(replay).toMatchObject({ duplicate: true, status: "sent" });
    expect(pushService.stats()).toMatchObject({ received: readers, repeated: 0 });
  });

  test("a message has the title and body of the campaign and links to its article", async () => {
    const [message] = pushService.sample(1) as { payload: { notification: Record<string, string> } }[];
    const { notification } = message!.payload;
    const { title, body, url } = await client.campaigns.read(campaignId);
    expect(notification).toMatchObject({ title, body });
    expect(notification.navigate).toContain(url);
  });
});

describe("the other endpoints", () => {
  test("POST /v1/campaigns/:campaignId/schedule sends at scheduleAt", async () => {
    pushService.reset();
    const id = await fixture.draft();
    // The time must not pass before the call arrives.
    const scheduleAt = new Date(Date.now() + 5_000).toISOString();
    const scheduled = await client.campaigns.schedule(id, scheduleAt);
    expect(scheduled).toMatchObject({ status: "scheduled", scheduledAt: scheduleAt });
    await pushService.received(readers);
    const [first] = [...pushService.receipts()].map(({ at }) => at).sort((a, b) => a - b);
    expect(first!).toBeGreaterThanOrEqual(Date.parse(scheduleAt));
    await eventually(async () => (await client.campaigns.read(id)).status === "sent");
  });

  test("POST /v1/runs/:runId/stop stops a run in flight, and accounts for every reader", async () => {
    pushService.reset();
    pushService.answerWith({ behaviour: "throttle", headers: { "retry-after": "60" } });
    const { runId, campaignId: id } = await client.campaigns.send(await fixture.draft());
    await pushService.received(1);
    expect(await client.runs.stop(runId)).toMatchObject({ runId, stoppedAt: expect.any(String) });
    const run = await client.runs.waitForRun(runId);
    expect(run).toMatchObject({ status: "stopped", pending: 0, accepted: 0, notSent: readers, audience: readers });
    expect((await client.campaigns.read(id)).status).toBe("stopped");
  });

  test("GET, POST and DELETE on api-keys manage the tenant's keys, for its owner", async () => {
    const headers = { cookie: await fixture.ownerCookie() };
    const path = `/v1/tenants/${fixture.publisher.tenantId}/api-keys`;
    const make = () => fixture.api.call("POST", path, { headers, body: { name: "CMS" } });
    const [first, made] = [await make(), await make()];
    expect(made).toMatchObject({ status: 201, body: { name: "CMS", secret: expect.any(String) } });
    const list = await fixture.api.call("GET", path, { headers });
    expect(list).toMatchObject({ status: 200, body: { data: [{}, {}, {}] } });
    // Only the service's own keys: a file before this one may have moved the clock of this process, and so its ids.
    const own = [made, first].map(({ body }) => body.keyId);
    const listed = list.body.data.map(({ keyId }: { keyId: string }) => keyId);
    expect(listed.filter((keyId: string) => own.includes(keyId))).toEqual(own);
    expect((await fixture.api.call("DELETE", `${path}/${made.body.keyId}`, { headers })).status).toBe(204);
  });
});
