import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach } from "vitest";
import type { App } from "../../../src/app.ts";
import { siteById } from "../../../src/tenants/sites/queries.ts";
import { openWebsite } from "../../conformance/fixture.ts";
import { openTestApp, settingsOf } from "../../fixtures/app.ts";
import { connectChromium } from "../../fixtures/browsers/shared-chromium.ts";
import { afterFile } from "../../fixtures/cleanup.ts";
import { type FeedServer, startFeedServer } from "../../fixtures/feed-server.ts";
import { subscribe } from "../../fixtures/publisher.ts";
import { type PushService, startPushService } from "../../fixtures/push-service/push-service.ts";
import { startService } from "../../fixtures/service-process.ts";

/** A real service that delivers to the simulator, a newspaper, and pages in a headless Chromium. */
export type DashboardFixture = {
  app: App;
  url: string;
  pushService: PushService;
  /** A newspaper with feeds that the service may read. */
  feeds: FeedServer;
  /** Returns the address of a new story. The decision rejects it if `path` is "unlisted". */
  story(path?: "news" | "unlisted"): string;
  /**
   * Opens a page in a new context with its own cookies. The context is closed after the test. Errors in its console go
   * to `faults`.
   */
  visit(options?: BrowserContextOptions): Promise<Page>;
  /** Adds readers of a site, with the simulator as their push service. */
  addReaders(siteId: string, count: number, testLabel?: string): Promise<void>;
  /** The errors of all pages so far: exceptions, answers 5xx, and errors in the console. */
  faults: string[];
};

/** Starts the service with `settings` over its own, the newspaper, and with `openBrowser` the browser of its pages. */
export async function openDashboardFixture(
  settings: Record<string, string> = {},
  openBrowser = connectChromium,
): Promise<DashboardFixture> {
  const opened: BrowserContext[] = [];
  // Pages that beforeAll has opened stay open until the file's last test has ended.
  beforeEach(() => void opened.splice(0));
  // The contexts are closed, because an open page continues to poll and to draw.
  afterEach(() => Promise.all(opened.splice(0).map(closeContext)));
  const [website, feeds, pushService, browser] = await Promise.all([
    openWebsite(),
    startFeedServer(),
    startPushService(),
    openBrowser(),
  ]);
  const folder = await mkdtemp(join(tmpdir(), "pressbell-dashboard-"));
  afterFile(() => rm(folder, { recursive: true }));
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, `${pushService.caCertificate}\n${website.certificate.cert}\n${feeds.certificate}`);
  const reach = { ALLOW_HOSTS: `${website.host},${feeds.allowHost}`, PUSH_SERVICES: pushService.origin };
  const app = await openTestApp(reach);
  await prolongUndo(app);
  const { url } = await startService("start", {
    ...settingsOf(app),
    ...reach,
    LOG_LEVEL: "info",
    RATE_LIMIT_PER_MINUTE: "1000000",
    NODE_EXTRA_CA_CERTS: caFile,
    ...settings,
  });
  const faults: string[] = [];
  let stories = 0;
  return {
    app,
    url,
    pushService,
    feeds,
    faults,
    story: (path = "news") => `${website.origin}/${path}/story-${++stories}`,
    async visit(options = {}) {
      const context = await openContext(browser, url, faults, options);
      opened.push(context);
      return context.newPage();
    },
    async addReaders(siteId, count, testLabel) {
      const site = (await siteById(app.db, siteId))!;
      const applicationServerKey = site.vapidPublicKey.toString("base64url");
      await subscribe(app, siteId, pushService.createSubscriptions(count, { applicationServerKey }), testLabel);
    },
  };
}

/**
 * Gives the pages ten more minutes in which a send can be undone. The usual ten seconds may pass while a test is on its
 * way to the button, signs in on another device, or looks for faults. waitForUndo ends the time.
 */
async function prolongUndo({ db }: App): Promise<void> {
  await sql
    .raw(`create function prolong_undo() returns trigger language plpgsql as $$ begin
      if new.waits_for = 'undo' then new.starts_at := new.starts_at + interval '10 minutes'; end if; return new; end $$`)
    .execute(db);
  await sql
    .raw("create trigger prolong_undo before insert on planned_sends for each row execute function prolong_undo()")
    .execute(db);
}

async function openContext(
  browser: Browser,
  baseURL: string,
  faults: string[],
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    ...options,
  });
  // Only a step that fails takes this long, because the machine may be busy.
  context.setDefaultTimeout(45_000);
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("response", (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error" && !isExpected(message.text())) faults.push(message.text());
  });
  return context;
}

/**
 * Returns whether an error in the console is expected. Refusals of the service are part of the tests, and Chromium
 * writes each of them into the console.
 */
function isExpected(text: string): boolean {
  return /Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_)|ERR_INTERNET_DISCONNECTED/.test(
    text,
  );
}

/**
 * Closes a context, without its routes. The fetch of a route ends with the context, and an unfinished route would make
 * the file fail.
 */
async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}
