import type { App } from "../../src/app.ts";
import { type CampaignFixture, campaignFixtureOf } from "../campaigns/fixture.ts";
import { type Answer, createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { type BreakableProxy, startBreakableProxy } from "../fixtures/browsers/breakable-proxy.ts";
import { type Site, startSite } from "../fixtures/browsers/site.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { startService } from "../fixtures/service-process.ts";
import { acceptsReceiptsFrom } from "./accepts-receipts.ts";
import { createAhead } from "./create-ahead.ts";

/** A real `start` process that delivers to browsers through the simulator. */
export type BrowserFixture = {
  app: App;
  pushService: PushService;
  /** The proxy between the browsers and the process. */
  proxy: BreakableProxy;
  /** Creates a tenant with a website that no browser has visited. */
  createTenant(): Promise<TenantFixture>;
};

/** A tenant, its website and its campaigns. */
export type TenantFixture = CampaignFixture & {
  site: Site;
  /** Creates a campaign with `fields` over valid defaults, and sends it. Resolves with the run's id. */
  send(fields?: Record<string, unknown>): Promise<string>;
  run(runId: string): Promise<Answer["body"]>;
  /** Resolves with the run once it is completed. */
  whenCompleted(runId: string): Promise<Answer["body"]>;
  /** Resolves with the run once it has these counts. Receipts of readers arrive within a second or two. */
  whenCounted(runId: string, counts: Record<string, number>): Promise<Answer["body"]>;
};

/** Starts the process on a database of its own. It runs until the file's last test has ended. */
export async function openBrowserFixture(): Promise<BrowserFixture> {
  const pushService = await startPushService({ host: "localhost" });
  const proxy = await startBreakableProxy();
  const settings = { PUSH_SERVICES: pushService.origin, PUBLIC_URL: proxy.url, RATE_LIMIT_PER_MINUTE: "1000000" };
  const app = await openTestApp(settings);
  const trusted = { NODE_EXTRA_CA_CERTS: pushService.caFile };
  const { url } = await startService("start", { ...settingsOf(app), ...settings, ...trusted });
  proxy.forwardTo(url);
  const createTenant = createAhead(async () => {
    const site = await startSite();
    const publisher = await createPublisher(app, { siteUrl: site.origin });
    await eventually(() => acceptsReceiptsFrom(url, site.origin));
    return { ...withRuns(campaignFixtureOf(app, createApi(url), publisher)), site };
  });
  return { app, pushService, proxy, createTenant };
}

function withRuns(fixture: CampaignFixture): Omit<TenantFixture, "site"> {
  const run = async (runId: string) =>
    (await fixture.api.call("GET", `/v1/runs/${runId}`, { key: fixture.publisher.apiKey })).body;
  return {
    ...fixture,
    run,
    async send(fields = {}) {
      const { status, body } = await fixture.post(await fixture.draft(fields), "send");
      if (status !== 202) throw new Error(`not sent: ${JSON.stringify(body)}`);
      return body.runId;
    },
    whenCompleted: (runId) =>
      eventually(async () => {
        const seen = await run(runId);
        return seen.status === "completed" && seen;
      }),
    async whenCounted(runId, counts) {
      let seen: Answer["body"];
      const look = async () => {
        seen = await run(runId);
        return Object.entries(counts).every(([name, count]) => seen[name] === count) && seen;
      };
      const counted = await eventually<Answer["body"]>(look).catch(() => undefined);
      if (!counted) throw new Error(`the run does not count ${JSON.stringify(counts)}, but ${JSON.stringify(seen)}`);
      return counted;
    },
  };
}
