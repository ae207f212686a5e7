import { beforeAll, expect, test } from "vitest";
import type { App } from "../src/app.ts";
import { writeVapidFile } from "../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair } from "../src/tenants/vapid/vapid-pair.ts";
import { type Api, createApi, openTestApp, settingsOf } from "./fixtures/app.ts";
import { eventually } from "./fixtures/eventually.ts";
import { createPublisher, type Publisher, subscribe } from "./fixtures/publisher.ts";
import { type PushService, startPushService } from "./fixtures/push-service/push-service.ts";
import { startService } from "./fixtures/service-process.ts";
import { ownerEmail, signIn } from "./fixtures/sign-in.ts";

let pushService: PushService;
let app: App;
let publisher: Publisher;
let api: Api;
let asOwner: (method: string, path: string, body?: unknown, type?: string) => ReturnType<Api["call"]>;

beforeAll(async () => {
  pushService = await startPushService({ keepBodies: "all" });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  publisher = await createPublisher(app);
  const service = await startService("start", {
    ...settingsOf(app),
    // With one thread, the same thread delivers before and after the change.
    WORKERS: "1",
    PUSH_SERVICES: pushService.origin,
    NODE_EXTRA_CA_CERTS: pushService.caFile,
  });
  api = createApi(service.url);
  const cookie = await signIn(api, ownerEmail(publisher.tenantId));
  const root = `/dashboard/api/tenants/${publisher.tenantId}`;
  asOwner = (method, path, body, type = "application/json") =>
    api.call(method, root + path, {
      headers: { cookie, ...(body === undefined ? {} : { "content-type": type }) },
      body,
    });
});

/** Creates a campaign and sends it to test devices ("test") or readers ("send"). Resolves with the completed run. */
async function sendCampaign(verb: "test" | "send") {
  const { tenantId, siteId, apiKey: key } = publisher;
  const body = { siteId, mode: "manual", url: "https://news.example/a", title: "Bridge opens", body: "Today." };
  const { campaignId } = (await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body })).body;
  const { runId } = (await api.call("POST", `/v1/campaigns/${campaignId}/${verb}`, { key })).body;
  return eventually(async () => {
    const { body: run } = await api.call("GET", `/v1/runs/${runId}`, { key });
    return run.status === "completed" && run;
  });
}

test("a publisher imports another service's key pair and subscribers, and reaches them all", async () => {
  const { siteId } = publisher;
  // A test device of the site's first pair, so that the delivery thread has signed with that pair before the change.
  const device = pushService.createSubscriptions(1, { applicationServerKey: publisher.vapidPublicKey });
  await subscribe(app, siteId, device, "Phone");
  expect(await sendCampaign("test")).toMatchObject({ accepted: 1 });

  const pair = writeVapidFile(generateVapidPair());
  const vapidPair = JSON.stringify(pair);
  expect((await asOwner("POST", `/sites/${siteId}/vapid-pair`, { vapidPair })).status).toBe(409);
  const [{ deviceId }] = (await asOwner("GET", `/sites/${siteId}/subscribers`)).body.devices;
  await asOwner("DELETE", `/sites/${siteId}/test-devices/${deviceId}`);
  expect((await asOwner("POST", `/sites/${siteId}/vapid-pair`, { vapidPair })).status).toBe(200);

  const readers = pushService.createSubscriptions(3, { applicationServerKey: pair.publicKey });
  const lines = readers.map((reader) => `${JSON.stringify(reader)}\n`).join("");
  const imported = await asOwner("POST", `/sites/${siteId}/subscribers`, lines, "application/x-ndjson");
  expect(imported.body.report).toMatchObject({ added: 3, wrong: 0 });
  expect(await sendCampaign("send")).toMatchObject({ audience: 3, accepted: 3, failed: 0, reasons: [] });
  for (const { endpoint } of readers) {
    expect(pushService.decrypt(endpoint)).toMatchObject([{ notification: { title: "Bridge opens" } }]);
  }
});
