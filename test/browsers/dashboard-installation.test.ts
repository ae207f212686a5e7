import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { answerWith } from "../fixtures/feed-server.ts";
import { freePort } from "../fixtures/free-port.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp } from "./dashboard/sign-in.ts";

const port = String(await freePort());
const publicUrl = `http://localhost:${port}`;
const fixture = await openDashboardFixture({ PUBLIC_URL: publicUrl, PORT: port });
const { feeds } = fixture;
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit({ baseURL: publicUrl });
  ids = await setUp(page, fixture.app);
  await changeSites(fixture.app, { id: ids.siteId }, { url: `${feeds.origin}/` });
});
const finding = (check: string, state: string) => page.locator(`[data-check="${check}"][data-state="${state}"]`);

test("an editor sees what to fix in the site's installation, and then that it is right", async () => {
  feeds.publish("/", "Home", "<!doctype html><title>Home</title>");
  const overview = await page.context().newPage();
  await overview.goto(`/sites/${ids.siteId}`);
  const step = (name: string, isDone: boolean) => overview.locator(`[data-step="${name}"][data-done="${isDone}"]`);
  await step("line", false).getByRole("link", { name: "Show the line" }).waitFor();
  await page.goto(`/sites/${ids.siteId}/integrations`);
  await page.getByRole("button", { name: "Check it", exact: true }).click();
  await page.getByText("3 things need fixing. Begin with the first.").waitFor();
  await finding("snippet", "wrong").getByText("Copy line 1 from above into the head of every page").waitFor();
  await finding("worker", "wrong").getByText("answers with the error 404").waitFor();
  await finding("scope", "unchecked").waitFor();
  await finding("manifest", "wrong").getByText("names no web app manifest").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  const manifest = await page.getByRole("region", { name: "web app manifest" }).innerText();
  const link = await page.getByRole("region", { name: "Line for the head of every page" }).innerText();
  feeds.serve("/manifest.webmanifest", answerWith(manifest, { "content-type": "application/manifest+json" }));
  const line = await page.getByRole("region", { name: "line for every page" }).innerText();
  const worker = await page.getByRole("region", { name: "worker file" }).innerText();
  const policy = { "content-security-policy": "default-src 'self'", "content-type": "text/html" };
  feeds.serve(
    "/",
    answerWith(`<!doctype html><head>${line}${link}<link rel="apple-touch-icon" href="/icon.png"></head>`, policy),
  );
  feeds.serve("/pressbell-sw.js", answerWith(worker, { "content-type": "text/javascript" }));
  await page.getByRole("button", { name: "Check it again" }).click();
  await page.getByText("One thing needs fixing.").waitFor();
  // The open page ticks each step that the check has found.
  for (const name of ["line", "worker"]) await step(name, true).waitFor();
  const words = `Add to their Content-Security-Policy: script-src ${publicUrl}; connect-src ${publicUrl}`;
  await finding("policy", "wrong").getByText(words).waitFor();

  feeds.serve(
    "/",
    answerWith(`<!doctype html><head>${line}${link}<link rel="apple-touch-icon" href="/icon.png"></head>`, {
      "content-type": "text/html",
    }),
  );
  await page.getByRole("button", { name: "Check it again" }).click();
  await page.getByText("Nothing to fix was found.").waitFor();
  await finding("manifest", "right").waitFor();
  await finding("worker", "right").getByText("The worker file is there and imports Pressbell’s").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(fixture.faults).toEqual([]);
});
