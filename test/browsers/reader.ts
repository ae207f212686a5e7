import { readInstallSnippet } from "../../src/tenants/sites/install-snippet.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import type { Browser, Nudge } from "../fixtures/browsers/browser.ts";
import { eventually } from "../fixtures/eventually.ts";
import type { Publication, Readership } from "./readership.ts";

/** A reader with a browser, on a website into which both lines of Pressbell were pasted. */
export type Reader = {
  browser: Browser;
  /** Comes to the front page, and resolves once the loader has said what this browser is. */
  visit(path?: string): Promise<void>;
  /** Waits for an event of `window.pressbell` in the page, and returns what it told. */
  told(event: string): Promise<Record<string, unknown> | null>;
  /** Comes with the permission granted, and says yes to the soft prompt. */
  subscribe(): Promise<void>;
  /** Whether the soft prompt is on the page. */
  isAsked(): Promise<boolean>;
  /** Reads the site's settings anew, as the browser does by itself after a minute. */
  refreshSettings(): Promise<void>;
  /** Calls `window.pressbell` and returns what it answers. */
  call<T>(method: string, ...args: unknown[]): Promise<T>;
  /** Waits until the nudge of this title stands on the desktop. */
  nudge(title: string): Promise<Nudge>;
};

const events = ["ready", "subscribed", "unsubscribed", "denied", "dismissed", "unsupported", "install", "failed"];

/**
 * topics() waits until the visit was looked after. After a delay of 0 s the loader looks at its state twice before it
 * asks: who has looked more often since then has seen the prompt, if there is one.
 */
const lookForPrompt = `
  await pressbell.topics();
  await new Promise((resolve) => setTimeout(resolve, 0));
  for (let looks = 0; looks < 5; looks++) await pressbell.state();
  return document.querySelector("pressbell-prompt") !== null;`;

/** Pastes both lines into the website of `publication`, and lets the reader sit down. The soft prompt comes at once. */
export async function seatReader(readership: Readership, publication: Publication, browser: Browser): Promise<Reader> {
  const { app, road } = readership;
  const { site, publisher } = publication;
  const { siteId, actor } = publisher;
  await changeSite(app, actor, { siteId, prompt: { delaySeconds: 0 } });
  const lines = await readInstallSnippet(app, actor, { siteId, base: road.url });
  const page = (title: string) => `<!doctype html><html lang="en"><head><title>${title}</title>
    <script>
      ${browser.prelude}
      window.told = [];
      window.pressbell = [(pressbell) => ${JSON.stringify(events)}.forEach(
        (name) => pressbell.on(name, (detail) => told.push([name, detail ?? null])))];
    </script>
    ${lines.page}</head><body><h1>${title}</h1></body></html>`;
  site.put("/", page("Herald"));
  site.put("/bridge", page("Bridge opens"));
  site.put(lines.workerFile, browser.prelude + lines.worker);

  type Told = [string, Record<string, unknown> | null][];
  const reader: Reader = {
    browser,
    async visit(path = "/") {
      await browser.open(site.origin + path);
      await reader.told("ready");
    },
    async told(event) {
      const seen: { all: Told } = { all: [] };
      const look = async () => {
        seen.all = await browser.inPage<Told>("return window.told");
        return seen.all.findLast(([name]) => name === event);
      };
      const found = await eventually(look).catch(() => undefined);
      if (!found) throw new Error(`the page was not told ${event}, but ${JSON.stringify(seen.all)}`);
      return found[1];
    },
    async subscribe() {
      await browser.permit(site.origin, "granted");
      await reader.visit();
      await browser.press("Yes, please");
      await reader.told("subscribed");
    },
    isAsked: () => browser.inPage(lookForPrompt),
    async refreshSettings() {
      const url = `${road.url}/sdk/sites/${siteId}/config?tenant=${publisher.tenantId}`;
      await browser.inPage("await fetch(args[0], { cache: 'reload', credentials: 'omit' })", url);
    },
    call: (method, ...args) => browser.inPage("return window.pressbell[args[0]](...args.slice(1))", method, ...args),
    nudge: (title) =>
      eventually(
        async () => (await browser.nudges()).find((shown) => shown.title === title),
        15_000,
        `no nudge says ${title}`,
      ),
  };
  return reader;
}
