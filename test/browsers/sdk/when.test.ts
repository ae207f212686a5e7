import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openReaderFixture, type ReaderFixture, type ReaderSite, type Visit } from "./fixture.ts";

/** When the prompt appears by itself: which page and visit, how long in view, how much read, on which paths. */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

/** Creates a site whose soft prompt appears at once, except for what `rule` changes. */
async function siteWith(rule: Parameters<ReaderSite["service"]["setPrompt"]>[0]): Promise<ReaderSite> {
  const site = await fixture.newSite();
  await site.service.setPrompt({ mode: "soft", ...rule });
  return site;
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Breaking news as it happens?" });

async function hasPrompt(visit: Visit): Promise<boolean> {
  await visit.settled();
  return (await dialogOf(visit.page).count()) > 0;
}

/** Returns everything that the browser has stored for the site. */
const stored = ({ run }: Visit) => run<Record<string, string>>("Object.fromEntries(Object.entries(localStorage))");
const remembered = async (visit: Visit, { service }: ReaderSite) =>
  JSON.parse((await stored(visit))[`pressbell.${service.siteId}`] ?? "null");

describe("pages and visits", () => {
  test("by default the first page asks nothing and loads no prompt, and the second asks", async () => {
    const reader = await siteWith({ fromPage: null as never });
    const first = await reader.visit();
    await first.run("pressbell.topics().then(() => pressbell.state())");
    expect(
      await first.run(`performance.getEntriesByType("resource").some(({ name }) => name.includes("prompt"))`),
    ).toBe(false);
    expect(await remembered(first, reader)).toEqual({ pages: 1, visits: 1 });
    await first.page.close();
    const second = await reader.visit({ path: "/second" });
    await dialogOf(second.page).waitFor();
  });

  test("a visit counts once, however many pages it has", async () => {
    const reader = await siteWith({ fromVisit: 2 });
    reader.site.put("/", `<a href="/second">Second page</a><script>seen = []</script>`);
    const visit = await reader.visit();
    expect(await hasPrompt(visit)).toBe(false);
    await visit.page.getByText("Second page").click();
    await visit.page.waitForURL("**/second");
    expect(await hasPrompt(visit)).toBe(false);
    await visit.page.close();
    const again = await reader.visit();
    await dialogOf(again.page).waitFor();
    await again.page.getByText("Second page").click();
    await again.page.waitForURL("**/second");
    await dialogOf(again.page).waitFor();
  });

  test("the counters stop at what the site waits for", async () => {
    const reader = await siteWith({ fromPage: 2 });
    for (let pages = 1; pages <= 3; pages++) {
      const visit = await reader.visit();
      await visit.settled();
      expect(await remembered(visit, reader)).toEqual({ pages: Math.min(pages, 2), visits: Math.min(pages, 2) });
      await visit.page.close();
    }
  });

  test("a site that asks on the first page, or never by itself, stores nothing in the browser", async () => {
    for (const rule of [{ fromPage: 1 }, { mode: "off", fromPage: 2 }] as const) {
      const reader = await siteWith(rule);
      const visit = await reader.visit();
      await visit.settled();
      expect(await remembered(visit, reader)).toBeNull();
    }
  });

  test("a page in a frame does not count", async () => {
    const reader = await siteWith({ fromPage: 2 });
    reader.site.put("/", `<iframe src="/inner"></iframe><script>seen = []</script>`);
    reader.site.put("/inner", "<script>seen = []</script>");
    const visit = await reader.visit();
    await visit.settled();
    const inner = visit.page.frames()[1]!;
    await inner.waitForFunction("window.pressbell?.topics");
    await inner.evaluate("pressbell.topics()");
    expect(await remembered(visit, reader)).toMatchObject({ pages: 1 });
  });
});

/** A script for a page that a test hides and shows, like a reader who turns to another tab. */
const hideable = `
  let isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  window.hide = (value) => {
    isHidden = value;
    document.dispatchEvent(new Event("visibilitychange"));
  };`;

test("only the time counts in which the page is in view", async () => {
  const { visit } = await siteWith({ delaySeconds: 10 });
  const reader = await visit({ atMs: Date.now(), before: hideable });
  await reader.settled();
  await reader.advance(6_000);
  await reader.run("hide(true)");
  await reader.advance(60_000);
  await reader.run("hide(false)");
  await reader.advance(3_900);
  expect(await hasPrompt(reader)).toBe(false);
  await reader.advance(200);
  await dialogOf(reader.page).waitFor();
});

describe("reading", () => {
  const long = (inside: string) => `<style>body { margin: 0 }</style>${inside}<script>seen = []</script>`;
  const scrollTo = ({ run }: Visit, y: number) =>
    run(
      `new Promise((then) => { scrollTo(0, ${y}); requestAnimationFrame(() => requestAnimationFrame(() => then(0))); })`,
    );

  test("the prompt waits until so much of the article is above the window's lower edge", async () => {
    const { site, visit } = await siteWith({ scrollPercent: 50 });
    site.put(
      "/",
      long(`<article style="height: 4000px"><h1>News</h1></article><div style="height: 20000px">Comments</div>`),
    );
    const reader = await visit();
    await reader.page.setViewportSize({ width: 800, height: 600 });
    expect(await hasPrompt(reader)).toBe(false);
    await scrollTo(reader, 1_300);
    expect(await hasPrompt(reader)).toBe(false);
    await scrollTo(reader, 1_500);
    await dialogOf(reader.page).waitFor();
  });

  test("what was read before the time is over counts, also if the reader has scrolled back", async () => {
    const { site, visit } = await siteWith({ scrollPercent: 50, delaySeconds: 5 });
    site.put("/", long(`<div style="height: 4000px">News</div>`));
    const reader = await visit({ atMs: Date.now() });
    await reader.page.setViewportSize({ width: 800, height: 600 });
    await reader.settled();
    await scrollTo(reader, 2_000);
    await scrollTo(reader, 0);
    expect(await hasPrompt(reader)).toBe(false);
    await reader.advance(5_000);
    await dialogOf(reader.page).waitFor();
  });

  test("a page that fits the window is read", async () => {
    const { visit } = await siteWith({ scrollPercent: 100 });
    const reader = await visit();
    await dialogOf(reader.page).waitFor();
  });
});

test("only on the site's paths, and never on those that it leaves out", async () => {
  const { visit } = await siteWith({ onlyPaths: ["/sport/*", "/"], neverPaths: ["/sport/shop*"] });
  for (const [path, asks] of [
    ["/sport/final", true],
    ["/", true],
    ["/local", false],
    ["/sport/shop/shirt", false],
  ] as const) {
    const reader = await visit({ path });
    if (asks) await dialogOf(reader.page).waitFor();
    expect(await hasPrompt(reader), path).toBe(asks);
    await reader.page.close();
  }
});

test("a call of the page asks whatever the rule says", async () => {
  const { visit } = await siteWith({ fromPage: 9, delaySeconds: 600, onlyPaths: ["/nowhere"] });
  const reader = await visit();
  expect(await reader.run("pressbell.prompt()")).toBe(true);
  await dialogOf(reader.page).waitFor();
});
