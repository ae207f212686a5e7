import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { createApi } from "../fixtures/app.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
const dayMs = 86_400_000;
const phoneSize = { viewport: { width: 390, height: 844 } };
const dayOf = (daysAgo: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" }).format(Date.now() - daysAgo * dayMs);
let site: Awaited<ReturnType<typeof setUp>>;
let topicId: string;

/** Adds a campaign that was sent `daysAgo` days ago and that `clicked` readers have clicked. */
async function sent(title: string, daysAgo: number, clicked: number, topicIds: string[] = []): Promise<void> {
  const { tenantId, siteId, key } = site;
  const body = { siteId, mode: "manual", url: "https://news.example/a", title, body: "Open.", topicIds };
  const { campaignId } = (await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body })).body;
  const { runId } = (await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key })).body;
  await changeRuns(fixture.app, { id: runId }, { createdAt: new Date(Date.now() - daysAgo * dayMs) });
  await addReceipts(fixture.app, runId, { displayed: 2 * clicked, clicked }, present);
}

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
  const { siteId, tenantId, key } = site;
  await fixture.addReaders(siteId, 40);
  topicId = (await addTopic(fixture.app, operatorOf(tenantId), { siteId, name: "Sport" })).topicId;
  await sent("Ferry is back", 9, 12);
  await sent("Derby is lost", 8, 31, [topicId]);
  await sent("Bridge opens", 1, 20);
  const body = {
    siteId,
    mode: "manual",
    url: "https://news.example/a",
    title: "Derby is near",
    body: "B",
    topicIds: [topicId],
  };
  await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body });
});

async function openList(options: Parameters<typeof fixture.visit>[0] = {}, query = ""): Promise<Page> {
  const page = await fixture.visit(options);
  await signIn(page, owner);
  await page.goto(`/sites/${site.siteId}/campaigns${query}`);
  return page;
}

/** Waits until the list has these titles, in this order. */
const expectTitles = (page: Page, ...titles: string[]) =>
  expect.poll(() => page.getByRole("table").getByRole("link").allInnerTexts()).toEqual(titles);

test("the list is filtered by topic, sender and days, and sorted by clicks, all in its address", async () => {
  const page = await openList({ viewport: { width: 1440, height: 900 } });
  await expectTitles(page, "Derby is near", "Bridge opens", "Derby is lost", "Ferry is back");
  await page.getByLabel("Topic").selectOption("Sport");
  await expectTitles(page, "Derby is near", "Derby is lost");
  await page.getByLabel("Sender").selectOption({ index: 1 });
  await expectTitles(page, "Derby is lost");
  await page.getByLabel("Topic").selectOption("Every topic");
  await page.getByLabel("Sent until").fill(dayOf(8));
  await expectTitles(page, "Derby is lost", "Ferry is back");
  await page.getByLabel("Sent until").fill("");
  await page.getByLabel("Order").selectOption("Most clicks first");
  await expectTitles(page, "Derby is lost", "Bridge opens", "Ferry is back");
  expect(await page.getByLabel("Sent from").inputValue()).toBe(dayOf(364));
  await page.reload();
  await expectTitles(page, "Derby is lost", "Bridge opens", "Ferry is back");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Sent from").fill(dayOf(0));
  await page.getByText("No campaign matches all the filters above.", { exact: false }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("the CSV has what the list shows, with the time of the send, topics and sender", async () => {
  const page = await openList({}, `?topicId=${topicId}&sort=clicks&from=${dayOf(20)}&to=${dayOf(0)}`);
  await expectTitles(page, "Derby is lost");
  const address = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  const [head, ...lines] = (await (await page.request.get(address!)).text()).trim().split("\r\n");
  expect(head).toMatch(/,sent,topics,segment,sender,followersOf$/);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/,Derby is lost,.*,\d{4}-\d\d-\d\dT[\d:.]+Z,Sport,,[^,]+,$/);
});

test("a phone shows when each was sent, and is not wider than its screen", async () => {
  const page = await openList(phoneSize);
  await page
    .getByRole("row", { name: /Bridge opens/ })
    .getByText(/\d\d:\d\d/)
    .filter({ visible: true })
    .waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("all this leaves no error in the console", () => {
  expect(fixture.faults).toEqual([]);
});
