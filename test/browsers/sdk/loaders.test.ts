import { beforeAll, expect, test } from "vitest";
import { openReaderFixture, type ReaderFixture } from "./fixture.ts";

/** What tag managers, caches and bundlers do to the loader's script element. */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

type Facts = { src: string; ids: string; set: string; fetched: string };

const inserted = ({ src }: Facts) =>
  `<script>const s = document.createElement("script"); s.async = true; s.src = "${src}"; document.head.append(s)</script>`;

const pages: [string, (facts: Facts) => string][] = [
  ["inserted, without ids", (facts) => `<script>${facts.set}</script>${inserted(facts)}`],
  ["inserted, with ids that come later", (facts) => `${inserted(facts)}<script>${facts.set}</script>`],
  ["async, without ids", ({ src, set }) => `<script>${set}</script><script async src="${src}"></script>`],
  ["deferred, without ids", ({ src, set }) => `<script defer src="${src}"></script><script>${set}</script>`],
  ["a module, without ids", ({ src, set }) => `<script>${set}</script><script type="module" src="${src}"></script>`],
  ["a module, with ids", ({ src, ids }) => `<script type="module" src="${src}" ${ids}></script>`],
  [
    "blocking and before the ids",
    ({ src, set }) =>
      `<script src="${src}"></script><script>addEventListener("DOMContentLoaded", () => { ${set} })</script>`,
  ],
  [
    "with ids in the element that a consent tool has left",
    (facts) => `<script type="text/plain" src="${facts.src}" ${facts.ids}></script>${inserted(facts)}`,
  ],
  [
    "evaluated by another script, without an element",
    ({ fetched, set }) =>
      `<script>${set}; fetch("${fetched}").then((r) => r.text()).then((text) => (0, eval)(text))</script>`,
  ],
  [
    "with a queue that has the ids",
    (facts) => `<script>window.pressbell = Object.assign([["on", "ready", () => (window.queued = true)]],
      (() => { ${facts.set}; return window.pressbell; })())</script>${inserted(facts)}`,
  ],
];

test.each(pages)("a loader %s works", async (name, write) => {
  const { site, service, visit } = await fixture.newSite();
  const { base, tenantId, siteId } = service;
  const src = `${base}/sdk/pressbell.js`;
  const hasElement = !name.startsWith("evaluated");
  const set = `window.pressbell = ${JSON.stringify({ tenantId, siteId, ...(hasElement ? {} : { base }) })}`;
  const ids = `data-tenant="${tenantId}" data-site="${siteId}"`;
  const html = write({ src, ids, set, fetched: src });
  site.put("/", `<!doctype html><html><head><title>Stripped</title></head><body>${html}</body></html>`);
  const { page, run } = await visit();
  await page.waitForFunction("window.pressbell?.subscribe");
  expect(await run("pressbell.subscribe()")).toBe("subscribed");
  if (name.includes("queue")) expect(await run("queued")).toBe(true);
});

test("the page of preferences works with ids that the page has set", async () => {
  const { site, service, visit } = await fixture.newSite();
  const { base, tenantId, siteId } = service;
  site.put(
    "/",
    `<!doctype html><html><head><title>Choose</title></head><body>
    <script>window.pressbell = ${JSON.stringify({ tenantId, siteId })}</script>
    <script src="${base}/sdk/preferences.js"></script><script async src="${base}/sdk/pressbell.js"></script></body></html>`,
  );
  const { page } = await visit();
  await page.locator("pressbell-preferences").getByRole("button").first().waitFor();
});
