import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { BrowserContext, Page } from "playwright-core";
import { openTestApp, serve } from "../../fixtures/app.ts";
import { connectChromium } from "../../fixtures/browsers/shared-chromium.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { acceptsReceiptsFrom } from "../accepts-receipts.ts";
import { createAhead } from "../create-ahead.ts";
import { startRecordingProxy } from "./recording-proxy.ts";
import { allowOrigin, createPublisher, type ReaderService } from "./service.ts";
import { type Site, startSite } from "./site.ts";

const fakePush = fileURLToPath(new URL("fake-push.js", import.meta.url));
const clock = readFile(new URL("fake-clock.js", import.meta.url), "utf8");

/** A reader's visit of a page: reads the events of the page, and runs scripts in it. */
export type Visit = {
  page: Page;
  /** Evaluates an expression in the page and awaits its promise. */
  run<T>(expression: string): Promise<T>;
  /** Waits for the event, and returns its detail. */
  event<T>(name: string): Promise<T>;
  /** Advances the clock of a page that was visited with `atMs`, and runs the timers due by then. */
  advance(ms: number): Promise<void>;
  /** The names of the events so far. */
  events(): Promise<string[]>;
  /** Waits until the visit is handled. If the page may ask, waits until it has begun to watch for the moment to ask. */
  settled(): Promise<void>;
};

export type VisitOptions = {
  path?: string;
  /** The permission before the visit. "default": the reader has not been prompted yet. */
  permission?: "default" | "granted" | "denied";
  /** The reader's answer to the permission prompt. */
  answer?: "default" | "granted" | "denied";
  /** A script that runs in the page before all others. */
  before?: string;
  /** The time of the page's fake clock, in milliseconds since 1970. Only `advance` moves it. */
  atMs?: number;
  /** Whether the page has neither the fake push service nor the fake reader. */
  isBare?: boolean;
};

export type ReaderFixture = {
  context: BrowserContext;
  /** Creates a new site of a new publisher, on an origin that the browser has not visited. */
  newSite(): Promise<ReaderSite>;
};

export type ReaderSite = { service: ReaderService; site: Site; visit(options?: VisitOptions): Promise<Visit> };

/**
 * Opens a service for a test file, and a context in the browser that all files share. Each test creates its own site.
 * `openContext` opens another context instead.
 */
export async function openReaderFixture(openContext = newContext): Promise<ReaderFixture> {
  let url = "";
  const proxy = await startRecordingProxy(() => url);
  const app = await openTestApp({ PUBLIC_URL: proxy.base });
  ({ url } = await serve(app));
  const context = await openContext();
  const createSite = createAhead(async () => {
    const publisher = await createPublisher(app);
    const site = await startSite({ ...publisher, base: proxy.base });
    await allowOrigin(app, publisher, site.origin);
    await eventually(() => acceptsReceiptsFrom(url, site.origin));
    return { publisher, site };
  });
  return {
    context,
    async newSite() {
      // Fewer pages make the browser faster, and no page of an earlier test can post during the next.
      for (const page of context.pages().slice(1)) await page.close();
      Object.assign(proxy, { isDown: false, refusal: undefined }).posts.length = 0;
      await sql`truncate rate_limits`.execute(app.db);
      const { publisher, site } = await createSite();
      return { service: Object.assign(proxy, publisher), site, visit: (visit) => visitSite(context, site, visit) };
    },
  };
}

/** Opens a context with an empty page, like a browser that was just started. It refuses real subscriptions. */
async function newContext(): Promise<BrowserContext> {
  const context = await (await connectChromium()).newContext();
  await context.newPage();
  return context;
}

/**
 * A script that waits until the visit is settled. Before the loader watches or prompts, it reads the state again and
 * loads the same module. This script does the same, but reads the state more often.
 */
const settledPage = `(async () => {
  await pressbell.topics();
  await import(pressbell.context.snippet.base + "/sdk/prompt.js");
  for (let looks = 0; looks < 5; looks++) await pressbell.state();
})()`;

async function visitSite(context: BrowserContext, site: Site, options: VisitOptions = {}): Promise<Visit> {
  const { path = "/", permission, answer, before, atMs, isBare = false } = options;
  const page = await context.newPage();
  // Otherwise a tenth of the pages counts its visit, at the latest when it is closed, which may be in the next test.
  await page.addInitScript("Math.random = () => 0.5");
  if (atMs !== undefined) await page.addInitScript(`const startMs = ${atMs};\n${await clock}`);
  if (permission) await page.addInitScript(`localStorage.setItem("test.permission", '"${permission}"')`);
  if (answer) await page.addInitScript(`localStorage.setItem("test.answer", '"${answer}"')`);
  if (before) await page.addInitScript(before);
  if (!isBare) await page.addInitScript({ path: fakePush });
  await page.goto(site.origin + path);
  return {
    page,
    run: (expression) => page.evaluate(expression),
    async event(name) {
      const found = await page.waitForFunction(`seen.findLast(([name]) => name === "${name}")`);
      const [, detail] = (await found.jsonValue()) as [string, never];
      return detail;
    },
    advance: (ms) => page.evaluate(`advance(${ms})`),
    events: () => page.evaluate("seen.map(([name]) => name)"),
    settled: () => page.evaluate(settledPage),
  };
}
