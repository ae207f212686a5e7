import { readInstallSnippet } from "../../../src/tenants/sites/install-snippet.ts";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import type { Browser, Nudge } from "../../fixtures/browsers/browser.ts";
import { eventually } from "../../fixtures/eventually.ts";
import type { BrowserFixture, TenantFixture } from "../fixture.ts";

/** A reader with a browser, on a website whose pages have both lines of the install snippet. */
export type Reader = {
  browser: Browser;
  /** Opens a page of the site, and resolves once the loader has reported the state of this browser. */
  visit(path?: string): Promise<void>;
  /** Waits for an event of `window.pressbell` in the page, and returns its detail. */
  event(name: string): Promise<Record<string, unknown> | null>;
  /** Visits with the permission granted, and accepts the soft prompt. */
  subscribe(): Promise<void>;
  /** Whether the soft prompt is on the page. */
  isPrompted(): Promise<boolean>;
  /** Reloads the site's settings, as the browser does by itself after a minute. */
  refreshSettings(): Promise<void>;
  /** Calls a method of `window.pressbell` as soon as the page has loaded it, and returns its result. */
  call<T>(method: string, ...args: unknown[]): Promise<T>;
  /** Waits until the notification with this title is shown. */
  nudge(title: string): Promise<Nudge>;
};

const events = ["ready", "subscribed", "unsubscribed", "denied", "dismissed", "unsupported", "install", "failed"];

/**
 * Returns whether the prompt is shown once the visit is handled. topics() waits for that. After a delay of 0 s the
 * loader loads the module and reads its state twice before it prompts. This script loads the same module and then reads
 * the state more often, so it sees the prompt, if there is one.
 */
const hasPrompt = `
  await pressbell.topics();
  await import(args[0]);
  for (let looks = 0; looks < 5; looks++) await pressbell.state();
  await import(args[0]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return document.querySelector("pressbell-prompt") !== null;`;

/** Puts the install snippet into the tenant's website, and returns a reader of it. The soft prompt appears at once. */
export async function createReader(fixture: BrowserFixture, tenant: TenantFixture, browser: Browser): Promise<Reader> {
  const { app, proxy } = fixture;
  const { site, publisher } = tenant;
  const { siteId, actor } = publisher;
  await changeSite(app, actor, { siteId, prompt: { fromPage: 1, delaySeconds: 0 } });
  const lines = await readInstallSnippet(app, actor, { siteId, base: proxy.url });
  const page = (title: string) => `<!doctype html><html lang="en"><head><title>${title}</title>
    <script>
      ${browser.prelude}
      window.seen = [];
      window.pressbell = [(pressbell) => ${JSON.stringify(events)}.forEach(
        (name) => pressbell.on(name, (detail) => seen.push([name, detail ?? null])))];
    </script>
    ${lines.page}</head><body><h1>${title}</h1></body></html>`;
  site.put("/", page("Herald"));
  site.put("/bridge", page("Bridge opens"));
  site.put(lines.workerFile, browser.prelude + lines.worker);

  const reader: Reader = {
    browser,
    async visit(path = "/") {
      await browser.open(site.origin + path);
      await reader.event("ready");
    },
    event: (name) => waitForEvent(browser, name),
    async subscribe() {
      await browser.setPermission(site.origin, "granted");
      await reader.visit();
      await browser.press("Yes, please");
      await reader.event("subscribed");
    },
    isPrompted: () => browser.inPage(hasPrompt, `${proxy.url}/sdk/prompt.js`),
    async refreshSettings() {
      const url = `${proxy.url}/sdk/sites/${siteId}/config?tenant=${publisher.tenantId}&lang=en`;
      await browser.inPage("await fetch(args[0], { cache: 'reload', credentials: 'omit' })", url);
    },
    async call(method, ...args) {
      await eventually(() => browser.inPage<boolean>("return 'topics' in (window.pressbell ?? {})").catch(() => false));
      return browser.inPage("return window.pressbell[args[0]](...args.slice(1))", method, ...args);
    },
    nudge: (title) =>
      eventually(
        async () => (await browser.nudges()).find((shown) => shown.title === title),
        undefined,
        `no notification has the title ${title}`,
      ),
  };
  return reader;
}

type SeenEvent = [name: string, detail: Record<string, unknown> | null];

async function waitForEvent(browser: Browser, event: string): Promise<SeenEvent[1]> {
  let seen: SeenEvent[] = [];
  const look = async () => {
    // A tab that was just opened has not run its scripts yet, or is navigating to another page.
    seen = await browser.inPage<SeenEvent[]>("return window.seen ?? []").catch(() => []);
    return seen.findLast(([name]) => name === event);
  };
  const found = await eventually(look).catch(() => undefined);
  if (!found) throw new Error(`the page got no event ${event}, but ${JSON.stringify(seen)}`);
  return found[1];
}
