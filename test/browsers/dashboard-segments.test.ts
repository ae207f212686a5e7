import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, sendTo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let page: Page;
let site: Awaited<ReturnType<typeof setUp>>;

/** Of 30 readers who subscribed 100 days ago, twelve were here today. */
beforeAll(async () => {
  page = await fixture.visit();
  site = await setUp(page, fixture.app);
  await fixture.addReaders(site.siteId, 30);
  await changeSubscribers(fixture.app, { siteId: site.siteId }, { createdAt: ago("100 days") });
  await changeSubscribers(fixture.app, { siteId: site.siteId, newest: 12 }, { seenDaysAgo: 0 });
});

const openSegments = () => page.goto(`/sites/${site.siteId}/subscribers`);
const region = () => page.getByRole("region", { name: "Segments" });
const form = () => page.getByTestId("segment-form");
const group = (name: string) => form().getByRole("group", { name });

test("an editor builds a segment, sees its readers while typing, and faults by the field", async () => {
  await openSegments();
  await region().getByRole("button", { name: "New segment" }).click();
  await form().getByText("Fill in a condition").waitFor();
  await form().getByLabel("Name").fill("Here lately");
  await group("Was on the site").getByLabel("In the last … days", { exact: true }).fill("30");
  await form().getByText("12 people now").waitFor();
  await group("Was on the site").getByLabel("Not in the last … days").fill("30");
  await form().getByText("No reader has both", { exact: false }).first().waitFor();
  await form().getByRole("button", { name: "Save segment" }).click();
  await form().getByText("Correct what is marked").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await group("Was on the site").getByLabel("Not in the last … days").fill("");
  await form().getByRole("button", { name: "Save segment" }).click();
  await region().getByText("here in the last 30 days").waitFor();
  await region().getByText("12", { exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a changed segment keeps its conditions, and cannot take the name of another", async () => {
  await openSegments();
  await region().getByRole("button", { name: "Change the segment Here lately" }).click();
  expect(await group("Was on the site").getByLabel("In the last … days", { exact: true }).inputValue()).toBe("30");
  await group("Subscribed").getByLabel("At least … days ago").fill("7");
  await form().getByRole("button", { name: "Save segment" }).click();
  await region().getByText("subscribed at least 7 days ago · here in the last 30 days").waitFor();
  await region().getByRole("button", { name: "New segment" }).click();
  await form().getByLabel("Name").fill("Here lately");
  await group("Was on the site").getByLabel("Not in the last … days").fill("30");
  await form().getByText("18 people now").waitFor();
  await form().getByRole("button", { name: "Save segment" }).click();
  await form().getByText("This is the name of another segment: Here lately").waitFor();
  await form().getByLabel("Name").fill("Asleep");
  await form().getByRole("button", { name: "Save segment" }).click();
  await region().getByText("not here for 30 days").waitFor();
});

test("a segment is narrowed to the readers of a time zone", async () => {
  await changeSubscribers(fixture.app, { siteId: site.siteId, newest: 5 }, { timeZone: "Asia/Tokyo" });
  await openSegments();
  await region().getByRole("button", { name: "New segment" }).click();
  await form().getByLabel("Name").fill("Tokyo");
  await form().getByRole("combobox", { name: "Time zone of the reader" }).fill("Tokyo");
  await page.getByRole("option", { name: "Asia/Tokyo" }).click();
  await form().getByText("5 people now").waitFor();
  // The click closes the list of time zones.
  await form().getByLabel("Name").click();
  await page.getByRole("option", { name: "Asia/Tokyo" }).waitFor({ state: "hidden" });
  expect(await accessibilityFaults(page)).toEqual([]);
  await form().getByRole("button", { name: "Save segment" }).click();
  await region().getByText("time zone Asia/Tokyo").waitFor();
});

test("a notification for a segment is asked about, sent to its readers, and names it", async () => {
  await composeStory(page, site.siteId, fixture.story());
  await page.getByTestId("audience-size").getByText("30 people").waitFor();
  await page.getByLabel("Segment").selectOption("Asleep");
  await page.getByTestId("audience-size").getByText("18 people").waitFor();
  await page.getByTestId("send-bar-audience").getByText("18 people · Asleep").waitFor();
  await sendTo(page, fixture, "18 people", "It goes to 18 people of The Example who are in the segment Asleep.");
  await page.getByText("Only in the segment Asleep").waitFor();
  const { data } = (await api.call("GET", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key })).body;
  const run = await api.call("GET", `/v1/runs/${data[0].runId}`, { key: site.key });
  expect(run.body).toMatchObject({ audience: 18, accepted: 18 });
});

test("a segment of a draft stays after a reload, and is taken away again", async () => {
  await composeStory(page, site.siteId, fixture.story(), "?fresh=1");
  await page.getByLabel("Segment").selectOption("Here lately");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").waitFor();
  await page.waitForURL(/autosavedDraft=/);
  await page.reload();
  await page.getByTestId("audience-size").getByText("12 people").waitFor();
  await page.getByLabel("Segment").selectOption("");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").first().waitFor();
  const drafts = `/v1/tenants/${site.tenantId}/campaigns?status=draft`;
  await eventually(async () => (await api.call("GET", drafts, { key: site.key })).body.data[0].segment === null);
});

test("a retired segment is no longer offered, a viewer sees the others and changes none", async () => {
  await openSegments();
  await region().getByRole("button", { name: "Retire the segment Asleep" }).click();
  await page.getByRole("button", { name: "Retire the segment", exact: true }).click();
  await region().getByText("not here for 30 days").waitFor({ state: "detached" });
  await page.goto(`/sites/${site.siteId}/compose?fresh=1`);
  await page.getByLabel("Segment").getByRole("option", { name: "Here lately" }).waitFor({ state: "attached" });
  expect(await page.getByLabel("Segment").getByRole("option", { name: "Asleep" }).count()).toBe(0);

  const viewer = await visitAs(fixture, site.tenantId, "viewer");
  await viewer.goto(`/sites/${site.siteId}/subscribers`);
  const seen = viewer.getByRole("region", { name: "Segments" });
  await seen.getByText("here in the last 30 days").waitFor();
  expect(await seen.getByRole("button", { name: /New segment|Change|Retire/ }).count()).toBe(0);
  expect(fixture.faults).toEqual([]);
});
