import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../src/app.ts";
import { type CampaignFixture, campaignFixtureOf, openCampaignFixture } from "../campaigns/fixture.ts";
import { startPageServer, trust } from "../egress/page-fixture.ts";
import { type Answer, createApi, settingsOf } from "../fixtures/app.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { startService } from "../fixtures/service-process.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/** A publisher's backend, the publisher's website, and another publisher. */
export type ConformanceFixture = CampaignFixture & {
  /** Returns the URL of a new story. */
  story(): string;
  /** Returns the URL of a new page that the decision rejects because of its `noindex`. */
  rejectedStory(): string;
  /** Removes a page. It answers 404 from now on. */
  withdraw(url: string): void;
  /** Creates a campaign in url mode, with siteId and the URL of a new story. `fields` replace these. */
  createFromUrl(fields?: Record<string, unknown>): Promise<Answer>;
  /** A publisher of another tenant. */
  stranger: Publisher;
  /** Calls the API, by default with the publisher's key. */
  call: CampaignFixture["api"]["call"];
  /** Signs the publisher's owner in to the dashboard. Returns the Cookie header. */
  ownerCookie(): Promise<string>;
};

/** Opens the API in this process, without delivery. A campaign that is sent stays `sending`. */
export async function openConformanceFixture(settings: Record<string, string> = {}): Promise<ConformanceFixture> {
  const website = await openWebsite();
  trust(website.certificate);
  return withStories(await openCampaignFixture({ ALLOW_HOSTS: website.host, ...settings }), website);
}

/** Starts a real `start` process, with a push service that makes the same checks as real ones. */
export async function openDeliveringFixture(): Promise<ConformanceFixture & { pushService: PushService }> {
  const website = await openWebsite();
  const pushService = await startPushService({ keepBodies: "all" });
  const folder = await mkdtemp(join(tmpdir(), "pressbell-conformance-"));
  afterFile(() => rm(folder, { recursive: true }));
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, `${pushService.caCertificate}\n${website.certificate.cert}`);
  const settings = { ALLOW_HOSTS: website.host, PUSH_SERVICES: pushService.origin };
  const own = await openCampaignFixture(settings);
  const limits = { RATE_LIMIT_PER_MINUTE: "1000000", FETCH_RATE_LIMIT_PER_MINUTE: "1000000" };
  const service = await startService("start", {
    ...settingsOf(own.app),
    ...settings,
    ...limits,
    NODE_EXTRA_CA_CERTS: caFile,
  });
  const fixture = await withStories(campaignFixtureOf(own.app, createApi(service.url), own.publisher), website);
  return { ...fixture, pushService };
}

/** Returns the app with `settings` on the same database. */
export function withSettings(app: App, settings: Partial<App["config"]>): App {
  return { ...app, config: { ...app.config, ...settings } };
}

async function withStories(own: CampaignFixture, { origin, withdraw }: Website): Promise<ConformanceFixture> {
  const { api, app, publisher } = own;
  let pages = 0;
  const story = () => `${origin}/news/story-${++pages}`;
  return {
    ...own,
    story,
    withdraw,
    rejectedStory: () => `${origin}/unlisted/story-${++pages}`,
    createFromUrl: (fields = {}) =>
      api.call("POST", `/v1/tenants/${publisher.tenantId}/campaigns`, {
        key: publisher.apiKey,
        body: { siteId: publisher.siteId, url: story(), ...fields },
      }),
    stranger: await createPublisher(app),
    call: (method, path, options = {}) => api.call(method, path, { key: publisher.apiKey, ...options }),
    ownerCookie: () => signIn(api, ownerEmail(publisher.tenantId)),
  };
}

type Website = Awaited<ReturnType<typeof openWebsite>>;

/**
 * Starts a website on loopback. Every path under /news/ is a new article. Every path under /unlisted/ has `noindex`.
 */
export async function openWebsite() {
  const certificate = await createCertificate("a newspaper's website");
  const listed = articleHtml("Bridge opens on Saturday");
  const unlisted = listed.replace("</head>", '<meta name="robots" content="noindex"></head>');
  const withdrawn = new Set<string>();
  const server = await startPageServer(certificate, (request, response) => {
    const path = request.url ?? "/";
    const isPage = /^\/(news|unlisted)\//.test(path) && !withdrawn.has(path);
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(!isPage ? "<title>Not found</title>" : path.startsWith("/news/") ? listed : unlisted);
  });
  afterFile(() => server.close());
  const host = `localhost:${server.port}`;
  const withdraw = (url: string) => void withdrawn.add(new URL(url).pathname);
  return { certificate, host, origin: `https://${host}`, withdraw };
}
