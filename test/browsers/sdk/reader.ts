import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { openTestApp, serve } from "../../fixtures/app.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { acceptsReceiptsFrom } from "../accepts-receipts.ts";
import { openChromium } from "./chromium.ts";
import { allowOrigin, createReaderService, type ReaderService } from "./service.ts";
import { type Site, startSite } from "./site.ts";
import { openTap } from "./tap.ts";

const standIn = fileURLToPath(new URL("stand-in.js", import.meta.url));
const clock = readFile(new URL("clock.js", import.meta.url), "utf8");

/** A reader's visit of a page: what the page saw happen, and what it can be made to do. */
export type Visit = {
  page: Page;
  /** Evaluates an expression of the page; promises are awaited. */
  run<T>(expression: string): Promise<T>;
  /** Waits until the event has been told, and gives what its listener got. */
  event<T>(name: string): Promise<T>;
  /** Moves the clock of a page that was visited `atMs`, and runs what was due until then. */
  advance(ms: number): Promise<void>;
  /** The events so far. */
  events(): Promise<string[]>;
};

export type VisitOptions = {
  path?: string;
  /** What the browser said before: "default" has not been asked. */
  permission?: "default" | "granted" | "denied";
  /** What the reader answers when the browser asks. */
  answer?: "default" | "granted" | "denied";
  /** Runs in the page before everything else. */
  before?: string;
  /** Where the page's clock stands, in milliseconds since 1970. It moves only by `advance`. */
  atMs?: number;
  /** Without the stand-in for push service and reader. */
  isBare?: boolean;
};

export type ReaderFixture = {
  context: BrowserContext;
  /** A new site of a new publisher, on an origin that the browser has not seen. */
  newSite(): Promise<ReaderSite>;
};

export type ReaderSite = { service: ReaderService; site: Site; visit(options?: VisitOptions): Promise<Visit> };

/** A browser and a service for a test file; each test takes a site of its own in them. */
export async function openReaderFixture(options: Parameters<typeof openChromium>[0] = {}): Promise<ReaderFixture> {
  let url = "";
  const tap = await openTap(() => url);
  const app = await openTestApp({ PUBLIC_URL: tap.base });
  ({ url } = await serve(app));
  const context = await openChromium(options);
  return {
    context,
    async newSite() {
      // Fewer pages, faster browser; and none of them speaks into the next test.
      for (const page of context.pages().slice(1)) await page.close();
      Object.assign(tap, { isDown: false, refusal: undefined }).told.length = 0;
      const service = await createReaderService(app, tap);
      const site = await startSite(service);
      await allowOrigin(app, service, site.origin);
      await eventually(() => acceptsReceiptsFrom(tap.base, site.origin));
      return { service, site, visit: (visit) => visitSite(context, site, visit) };
    },
  };
}

async function visitSite(context: BrowserContext, site: Site, options: VisitOptions = {}): Promise<Visit> {
  const { path = "/", permission, answer, before, atMs, isBare = false } = options;
  const page = await context.newPage();
  if (atMs !== undefined) await page.addInitScript(`const startMs = ${atMs};\n${await clock}`);
  if (permission) await page.addInitScript(`localStorage.setItem("test.permission", '"${permission}"')`);
  if (answer) await page.addInitScript(`localStorage.setItem("test.answer", '"${answer}"')`);
  if (before) await page.addInitScript(before);
  if (!isBare) await page.addInitScript({ path: standIn });
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
  };
}
