import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { changeMember } from "../../src/access/members/members.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { insertPerson } from "../fixtures/sign-in.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, waitForUndo } from "./dashboard/compose.ts";
import { createGroup } from "./dashboard/create-group.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let first: Page;
let site: Awaited<ReturnType<typeof setUp>>;
let evening: string;
let coast: string;

beforeAll(async () => {
  first = await fixture.visit();
  site = await setUp(first, fixture.app);
  const add = async (name: string) => {
    const url = `https://${name.split(" ")[0]!.toLowerCase()}.example`;
    return (await createSite(fixture.app, operatorOf(site.tenantId), fixture.app.db, { name, url })).siteId;
  };
  [evening, coast] = [await add("Evening News"), await add("Coast Gazette")];
  await fixture.addReaders(site.siteId, 40);
  await fixture.addReaders(evening, 20);
  await fixture.addReaders(coast, 3);
  await changeSites(fixture.app, { id: coast }, { isPaused: true });
});

async function openPage(options: Parameters<typeof fixture.visit>[0] = {}): Promise<Page> {
  const page = await fixture.visit(options);
  await page.context().addCookies((await first.context().storageState()).cookies);
  return page;
}

const campaigns = async () =>
  (await api.call("GET", `/v1/tenants/${site.tenantId}/campaigns?limit=100`, { key: site.key })).body.data;
const shoot = (page: Page, name: string) =>
  process.env.SHOTS && page.screenshot({ path: `${process.env.SHOTS}/sites-${name}.png`, fullPage: true });

test("a story goes to several sites, a paused site holds back no other, and all can be undone", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  await page.getByText("Evening News", { exact: true }).click();
  await page.getByText("Coast Gazette · paused").click();
  const own = fixture.story();
  await page.getByLabel("Address at Evening News").fill(own);
  await page.locator("[data-send-bar]").getByText("60 people · 2 sites").waitFor();
  await page.getByRole("button", { name: "Send now…" }).click();
  const dialog = page.getByTestId("send-dialog");
  await dialog.getByText("It goes to 60 people of 2 sites.").waitFor();
  await dialog.locator("[data-state=refused]").getByText("Sends of this site are paused").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await shoot(page, "dialog");
  await dialog.getByRole("button", { name: "Send to 60 people" }).click();
  const bar = page.getByTestId("undo-window");
  await bar.getByText(/^Sending to 60 people of 2 sites in/).waitFor();
  await page.getByText(/^Coast Gazette: Sends/).waitFor();
  expect(await bar.count()).toBe(1);
  await bar.getByRole("button", { name: "Undo" }).click();
  await bar.getByText("Undone. No reader got it.").waitFor();
  const created = await campaigns();
  expect(created.map(({ status }: { status: string }) => status)).toEqual(["draft", "draft", "draft"]);
  expect(created.map(({ siteId, url }: { siteId: string; url: string }) => siteId === evening && url)).toContain(own);

  // A change of the text changes all three campaigns, and creates no others.
  await page.getByLabel(/^Title/).fill("For all titles");
  await page.getByRole("button", { name: "Send now…" }).click();
  await dialog.getByRole("button", { name: "Send to 60 people" }).click();
  await waitForUndo(page, fixture);
  const panel = page.getByTestId("group");
  await panel.getByText("Sent to 2 sites").waitFor();
  await eventually(async () => (await panel.locator("tfoot").innerText()).includes("60"), 30_000, "both runs");
  const sent = await campaigns();
  expect(sent.map(({ title }: { title: string }) => title)).toEqual(Array(3).fill("For all titles"));
  expect(await accessibilityFaults(page)).toEqual([]);
  await shoot(page, "panel");
});

test("a draft for several sites is opened with them, and the list of campaigns marks it", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  await page.getByText("Evening News", { exact: true }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("button", { name: "Draft saved" }).waitFor();
  const [{ campaignId, groupId }] = (await campaigns()).filter((one: { siteId: string }) => one.siteId === site.siteId);
  await page.goto(`/sites/${site.siteId}/campaigns`);
  await page.getByText("To several sites").first().waitFor();
  await page.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
  await page.getByTestId("group").getByText("For 2 sites").waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Address at Evening News").waitFor();
  await page.getByText("Evening News", { exact: true }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("button", { name: "Draft saved" }).waitFor();
  const after = await campaigns();
  expect(after[0]).toMatchObject({ siteId: site.siteId, groupId: null, status: "draft" });
  const left = after.filter((one: { groupId: string }) => one.groupId === groupId);
  expect(left.map(({ status }: { status: string }) => status)).toEqual(["cancelled", "cancelled"]);
});

test("a scheduled send of another site is no part of the draft, and is not cancelled with it", async () => {
  const { groupId, campaignAt: idAt } = await createGroup(api, site, [site.siteId, evening, coast]);
  const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
  await api.call("POST", `/v1/campaigns/${idAt(evening)}/schedule`, { key: site.key, body: { scheduleAt } });
  const page = await openPage();
  await page.goto(`/sites/${site.siteId}/compose?draft=${idAt(site.siteId)}`);
  await page.getByLabel("Address at Coast Gazette").waitFor();
  expect(await page.getByLabel("Address at Evening News").count()).toBe(0);
  await page.getByText("Coast Gazette · paused").click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("button", { name: "Draft saved" }).waitFor();
  const group = (await campaigns()).filter((one: { groupId: string }) => one.groupId === groupId);
  const statuses = group.map(({ siteId, status }: { siteId: string; status: string }) => [siteId, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    [site.siteId]: "cancelled",
    [evening]: "scheduled",
    [coast]: "cancelled",
  });
  await page.goto(`/sites/${evening}/compose?draft=${idAt(evening)}`);
  await page.getByText("It is scheduled").waitFor();
  expect(await page.getByLabel(/^Address at/).count()).toBe(0);
});

test("a request that is refused at one site holds back no other, and is listed with its site", async () => {
  const userId = await insertPerson(fixture.app.db, site.tenantId, "evening@example.org", "viewer");
  const roles = { role: null, siteRoles: [{ siteId: evening, role: "editor" }] };
  await changeMember(fixture.app, operatorOf(site.tenantId), { userId, body: roles });
  await changeTenant(fixture.app, operatorOf(site.tenantId), { confirmAbove: 2 });
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  await page.getByText("Evening News", { exact: true }).click();
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByTestId("send-dialog").getByRole("button", { name: "Ask a second person" }).click();
  await page.getByText("It waits for a second person at 1 site.").waitFor();
  await page.getByText("The Example: Only you may send here.").waitFor();
  await changeTenant(fixture.app, operatorOf(site.tenantId), { confirmAbove: null });
});

test("a stop stops the sends to all sites", async () => {
  const slow = fixture.pushService.answerWith({ behaviour: "answer", delayMs: 20_000 });
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  await page.getByText("Evening News", { exact: true }).click();
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByTestId("send-dialog").getByRole("button", { name: "Send to 60 people" }).click();
  await waitForUndo(page, fixture);
  const panel = page.getByTestId("group");
  await panel.getByText("Sent to 2 sites").waitFor();
  await panel.getByRole("button", { name: "Stop all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop all" }).click();
  await eventually(async () => (await panel.getByText("Stopped").count()) === 2, 30_000, "both runs to stop");
  slow();
});

test.each([
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
  [390, "dark"],
] as const)("at %i pixels in %s colours the other sites fit on the page, in German", async (width, colorScheme) => {
  const page = await openPage({ locale: "de-DE", colorScheme, viewport: { width, height: 900 } });
  await page.goto(`/sites/${site.siteId}/compose?fresh=yes`);
  await page.getByLabel("Adresse des Artikels").fill(fixture.story());
  await page.locator("[data-decision][aria-busy=false]").waitFor();
  await page.getByText("Evening News", { exact: true }).click();
  await page.getByText("Coast Gazette · angehalten").click();
  await page.getByLabel("Adresse bei Evening News").waitFor();
  await page.locator("[data-send-bar]").getByText("60 Personen · 2 Websites").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await shoot(page, `compose-${width}-${colorScheme}`);
  await page.getByRole("button", { name: "Jetzt senden…" }).click();
  await page.getByTestId("send-dialog").getByText("Er geht an 60 Personen von 2 Websites.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await shoot(page, `dialog-${width}-${colorScheme}`);
  const sent = (await campaigns()).find(
    (one: { groupId: string | null; runId: string | null }) => one.groupId && one.runId,
  );
  await page.goto(`/sites/${sent.siteId}/campaigns/${sent.campaignId}`);
  await page.getByTestId("group").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await shoot(page, `campaign-${width}-${colorScheme}`);
  expect(fixture.faults).toEqual([]);
});
