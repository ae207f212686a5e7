import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { findBrowser } from "../../fixtures/browsers/executables.ts";
import { startGuarded } from "../../fixtures/browsers/guarded-process.ts";
import { afterFile } from "../../fixtures/cleanup.ts";
import { openReaderFixture } from "./fixture.ts";
import { listen } from "./recording-proxy.ts";

/** What the page reports about itself. `shownAtMs`: when it was shown, counted from the start of its navigation. */
type Report = { isPrerendered: boolean; shownAtMs: number; sentAtMs: number[]; hadPrompt: boolean };

/**
 * Returns the script of the prerendered page. It reports twice to `to`: when its loader has run, and when the page was
 * shown and has its prompt.
 */
const reporting = (to: string) => `<script>
  Math.random = () => 0;
  let hadPrompt = false;
  const isPrerendered = document.prerendering;
  document.addEventListener("prerenderingchange", () => (hadPrompt = document.querySelector("pressbell-prompt") !== null));
  async function loaded() {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 10));
    await fetch("${to}/loaded", { method: "POST" });
    while (!document.querySelector("pressbell-prompt")) await new Promise((resolve) => setTimeout(resolve, 20));
    const sent = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/sdk/sites/"));
    const shownAtMs = performance.getEntriesByType("navigation")[0].activationStart;
    const report = { isPrerendered, hadPrompt, shownAtMs, sentAtMs: sent.map(({ startTime }) => startTime) };
    fetch("${to}/report", { method: "POST", body: JSON.stringify(report) });
  }
</script>`;

/**
 * Playwright and other tools forbid Chromium to prerender. So this test drives Chromium without them, and the pages
 * report.
 */
test("a prerendered page sends, counts and draws nothing before it is shown", async () => {
  const { newSite } = await openReaderFixture();
  const { service, site } = await newSite();
  await service.setPrompt({ mode: "soft" });
  let tellLoaded = () => {};
  const loaded = new Promise<void>((resolve) => (tellLoaded = resolve));
  let tellReport = (_: Report) => {};
  const report = new Promise<Report>((resolve) => (tellReport = resolve));
  const here = await listen("localhost", async (request, response) => {
    const body = await text(request);
    if (request.url === "/loaded") tellLoaded();
    if (request.url === "/report") tellReport(JSON.parse(body));
    // The reader goes to the page once it is prerendered.
    if (request.url === "/go") await loaded;
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  });
  const rules = JSON.stringify({ prerender: [{ source: "list", urls: ["/next"], eagerness: "immediate" }] });
  site.put(
    "/start",
    `<!doctype html><html><head><title>Start</title><script type="speculationrules">${rules}</script></head><body>
      <h1>Start</h1><script>fetch("${here}/go").then(() => { location.href = "/next" })</script></body></html>`,
  );
  site.put("/next", reporting(here));
  site.attributes = `onload="loaded()"`;

  const home = await mkdtemp(join(tmpdir(), "pressbell-prerender-"));
  const args = ["--headless", "--no-sandbox", "--no-first-run", `--user-data-dir=${home}`, `${site.origin}/start`];
  const chromium = startGuarded(findBrowser("chromium")!, args, { PATH: process.env.PATH ?? "", HOME: home });
  afterFile(async () => {
    await chromium.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  });

  const { isPrerendered, shownAtMs, sentAtMs, hadPrompt } = await report;
  expect(isPrerendered).toBe(true);
  expect(shownAtMs).toBeGreaterThan(0);
  expect(hadPrompt).toBe(false);
  expect(sentAtMs.length).toBeGreaterThan(0);
  expect(Math.min(...sentAtMs)).toBeGreaterThanOrEqual(shownAtMs);
});
