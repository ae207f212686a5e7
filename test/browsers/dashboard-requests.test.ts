import type { Page, Request } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { present } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let first: Page;
let site: Awaited<ReturnType<typeof setUp>>;
let campaignId: string;

beforeAll(async () => {
  first = await fixture.visit();
  site = await setUp(first, fixture.app);
  await fixture.addReaders(site.siteId, 40);
  await fixture.addReaders(site.siteId, 1, "Newsroom phone");
  await changeSites(fixture.app, { id: site.siteId }, { isLineFound: true, isWorkerFound: true });
  const body = { siteId: site.siteId, mode: "manual", url: fixture.story(), title: "The bridge is open", body: "Yes." };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  campaignId = made.body.campaignId;
  const { runId } = (await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key: site.key })).body;
  await eventually(
    async () => (await api.call("GET", `/v1/runs/${runId}`, { key: site.key })).body.status === "completed",
  );
  await addReceipts(fixture.app, runId, { displayed: 30, clicked: 7 }, present);
});

/** Each main page with a text of its main content. */
const pages: [name: string, path: () => string, ready: string][] = [
  ["overview", () => "", "Reachable subscribers"],
  ["compose", () => "/compose?fresh=yes", "Address of the story"],
  ["campaign", () => `/campaigns/${campaignId}`, "The story was opened"],
  ["list", () => "/campaigns", "Reached"],
  ["calendar", () => "/calendar", "What was sent and what is planned"],
  ["subscribers", () => "/subscribers", "Newsroom phone"],
  ["settings", () => "/settings/site", "Save"],
  ["newsroom screen", () => "/screen", "Readers reachable"],
];

/** Opens a page signed in, with nothing in its cache. */
async function openPage(): Promise<Page> {
  const page = await fixture.visit();
  await page.context().addCookies((await first.context().storageState()).cookies);
  return page;
}

/** Loads a page. Waits until every request is answered, and returns the addresses that the page asked for. */
async function load(page: Page, path: string, ready: string): Promise<string[]> {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const asked: string[] = [];
  const open = new Set<string>();
  network.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.startsWith("data:")) return;
    asked.push(request.url.replace(fixture.url, ""));
    if (!request.url.endsWith("/changes")) open.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId }) => open.delete(requestId));
  network.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
  await page.goto(`/sites/${site.siteId}${path}`, { waitUntil: "commit" });
  await page.getByText(ready).first().waitFor();
  await eventually(async () => asked.some((url) => url.endsWith("/changes")) && open.size === 0, 60_000);
  await network.detach();
  return asked;
}

/** Returns what was read of the publisher, as paths below its address. */
function readsIn(asked: string[]): string[] {
  const ofTenant = `/dashboard/api/tenants/${site.tenantId}`;
  const below = asked.filter((url) => url.startsWith(ofTenant)).map((url) => url.slice(ofTenant.length));
  return below
    .filter((path) => !path.endsWith("/changes"))
    .flatMap((path) =>
      path.startsWith("/reads?") ? new URLSearchParams(path.slice("/reads?".length)).getAll("path") : [path],
    )
    .toSorted();
}

/** Further pages that read ahead. */
const others: typeof pages = [
  ["feeds", () => "/feeds", "Pressbell checks each new story in a feed"],
  ["stories", () => "/settings/stories", "Save"],
  ["classes", () => "/settings/classes", "What holds for each class."],
  ["notifications", () => "/settings/notifications", "Icon"],
  ["readers", () => "/settings/readers", "Save"],
  ["prompt", () => "/settings/prompt", "Save"],
];

test.each([...pages, ...others])("%s reads ahead only what it shows", async (_, path, ready) => {
  const page = await openPage();
  await page.route("**/changes", () => {});
  const reads = readsIn(await load(page, path(), ready));
  // Without the first answer, which names the publisher, nothing can be read ahead.
  await page.route("**/dashboard/api/start", (route) => route.abort(), { times: 1 });
  expect(readsIn(await load(page, path(), ready))).toEqual(reads);
});

test("a page reads while its code is on its way, and shows what changed meanwhile", async () => {
  const page = await openPage();
  const code = Promise.withResolvers<void>();
  await page.route("**/assets/base-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  const read = Promise.withResolvers<void>();
  const noteRead = (request: Request) => {
    if (request.url().includes("/reads?")) read.resolve();
  };
  page.on("requestfinished", noteRead).on("requestfailed", noteRead);
  await page.goto(`/sites/${site.siteId}/campaigns`, { waitUntil: "commit" });
  await read.promise;
  const draft = {
    siteId: site.siteId,
    mode: "manual",
    url: "https://news.example/a",
    title: "Meanwhile",
    body: "Yes.",
  };
  await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body: draft });
  code.resolve();
  await page.getByText("Meanwhile").waitFor();
});

test.each(pages)("%s comes in at most 15 requests into an empty cache", async (_, path, ready) => {
  const page = await openPage();
  // Changes are blocked, because the page would otherwise read recently created objects a second time.
  await page.route("**/changes", () => {});
  const asked = await load(page, path(), ready);
  expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(15);
  expect(fixture.faults).toEqual([]);
});
