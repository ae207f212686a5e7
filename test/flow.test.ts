import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../src/app.ts";
import { type Api, createApi, openTestApp, settingsOf } from "./fixtures/app.ts";
import { eventually } from "./fixtures/eventually.ts";
import { createPublisher, type Publisher, subscribe } from "./fixtures/publisher.ts";
import { type PushService, startPushService } from "./fixtures/push-service/push-service.ts";
import { startService } from "./fixtures/service-process.ts";

describe.each(["auto", "node"])(
  "a campaign, from the call of a CMS to its readers, with ENCRYPTION=%s",
  (ENCRYPTION) => {
    let pushService: PushService;
    let app: App;
    let publisher: Publisher;
    let api: Api;

    beforeAll(async () => {
      pushService = await startPushService({ keepBodies: "all" });
      app = await openTestApp({ PUSH_SERVICES: pushService.origin });
      publisher = await createPublisher(app);
      await subscribe(
        app,
        publisher.siteId,
        pushService.createSubscriptions(2_500, { applicationServerKey: publisher.vapidPublicKey }),
      );
      const service = await startService("start", {
        ...settingsOf(app),
        ENCRYPTION,
        PUSH_SERVICES: pushService.origin,
        NODE_EXTRA_CA_CERTS: pushService.caFile,
      });
      api = createApi(service.url);
    });

    test("reaches each subscriber once, and the run counts them", async () => {
      const { tenantId, siteId, apiKey: key } = publisher;
      const body = {
        siteId,
        mode: "manual",
        url: "https://news.example/bridge?a=1#top",
        title: "Bridge opens",
        body: "On Saturday.",
      };
      const created = await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body });
      expect(created).toMatchObject({ status: 201, body: { status: "draft", runId: null } });
      const { campaignId } = created.body;
      const sent = await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key });
      expect(sent).toMatchObject({ status: 202, body: { audience: 2_500, audienceExact: true, duplicate: false } });

      const run = await eventually(async () => {
        const { body: seen } = await api.call("GET", `/v1/runs/${sent.body.runId}`, { key });
        return seen.status === "completed" && seen;
      });
      expect(run).toMatchObject({
        audience: 2_500,
        accepted: 2_500,
        pending: 0,
        repeated: 0,
        reasons: [],
        heldBy: null,
      });
      expect(pushService.stats()).toMatchObject({ accepted: 2_500, distinctSubscriptionsAccepted: 2_500, repeated: 0 });
      expect((await api.call("GET", `/v1/campaigns/${campaignId}`, { key })).body).toMatchObject({
        status: "sent",
        runId: run.runId,
      });

      const [message] = pushService.sample(1) as {
        payload: { web_push: number; notification: Record<string, unknown> };
      }[];
      expect(message!.payload).toMatchObject({
        web_push: 8030,
        notification: { title: "Bridge opens", tag: run.runId },
      });
      expect(message!.payload.notification.navigate).toMatch(
        /^https:\/\/news\.example\/bridge\?a=1#top-pressbell-[\w-]{43}$/,
      );
    });
  },
);
