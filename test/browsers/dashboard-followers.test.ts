import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { insertFollows } from "../fixtures/rows/subscribers.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, sendTo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let page: Page;
let site: Awaited<ReturnType<typeof setUp>>;

/** Seven of 20 readers follow the bridge. Each of twelve other stories has three followers. */
beforeAll(async () => {
  page = await fixture.visit();
  site = await setUp(page, fixture.app);
  await fixture.addReaders(site.siteId, 20);
  await insertFollows(fixture.app, site.siteId, "river-bridge", 7);
  for (let n = 1; n <= 12; n++) await insertFollows(fixture.app, site.siteId, `story-${n}`, 3);
});

const choice = () => page.getByRole("combobox", { name: "Followers of" });

test("a notification to the followers of a story is chosen, asked about, sent, and names it", async () => {
  await composeStory(page, site.siteId, fixture.story());
  await page.getByTestId("audience-size").getByText("20 people").waitFor();
  await choice().fill("BRIDGE");
  await page.getByRole("option", { name: "river-bridge · 7" }).click();
  await page.getByTestId("audience-size").getByText("7 people").waitFor();
  await page.getByTestId("send-bar-audience").getByText("7 people · river-bridge").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await sendTo(page, fixture, "7 people", "It goes to 7 people of The Example who follow river-bridge.");
  await page.getByText("To followers of river-bridge").waitFor();
  const { data } = (await api.call("GET", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key })).body;
  expect(data[0].followersOf).toBe("river-bridge");
  const run = await api.call("GET", `/v1/runs/${data[0].runId}`, { key: site.key });
  expect(run.body).toMatchObject({ audience: 7, accepted: 7 });
});

test("the followers of a draft stay after a reload, and are taken away again", async () => {
  await composeStory(page, site.siteId, fixture.story(), "?fresh=1");
  await choice().fill("story-3");
  await page.getByRole("option", { name: "story-3 · 3" }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").waitFor();
  await page.waitForURL(/autosavedDraft=/);
  await page.reload();
  await page.getByTestId("audience-size").getByText("3 people").waitFor();
  expect(await choice().inputValue()).toBe("story-3");
  await choice().fill("");
  await page.getByTestId("audience-size").getByText("20 people").waitFor();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").first().waitFor();
  const drafts = `/v1/tenants/${site.tenantId}/campaigns?status=draft`;
  await eventually(async () => (await api.call("GET", drafts, { key: site.key })).body.data[0].followersOf === null);
});

test("an editor sees what readers follow, searches it and ends a story; a viewer only sees", async () => {
  await page.goto(`/sites/${site.siteId}/subscribers`);
  const region = page.getByRole("region", { name: "What readers follow" });
  expect(await region.getByRole("listitem").first().textContent()).toContain("river-bridge7");
  expect(await region.getByRole("listitem").count()).toBe(12);
  await region.getByLabel("Search what readers follow").fill("story-9");
  await region.getByRole("listitem").nth(1).waitFor({ state: "detached" });
  await region.getByRole("button", { name: "End story-9" }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "End it", exact: true }).click();
  await region.getByText("story-9").waitFor({ state: "detached" });
  const follows = `/v1/tenants/${site.tenantId}/sites/${site.siteId}/follows`;
  expect((await api.call("GET", `${follows}?search=story-9`, { key: site.key })).body.data).toEqual([]);

  const viewer = await visitAs(fixture, site.tenantId, "viewer");
  await viewer.goto(`/sites/${site.siteId}/subscribers`);
  const seen = viewer.getByRole("region", { name: "What readers follow" });
  await seen.getByText("river-bridge").waitFor();
  expect(await seen.getByRole("button", { name: /^End/ }).count()).toBe(0);
  expect(fixture.faults).toEqual([]);
});
