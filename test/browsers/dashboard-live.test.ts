import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { asksAlone } from "./dashboard/asks-alone.ts";
import { composeStory, waitForRun } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
  await fixture.addReaders(site.siteId, 30);
});

/** Opens a page of the site. Its timers read nothing again within the time that a step may take. */
async function openPage(path: string): Promise<Page> {
  const page = await fixture.visit();
  await signIn(page, owner);
  await page.goto(`/sites/${site.siteId}${path}`);
  return page;
}

async function draft(fields: object): Promise<string> {
  const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/a", body: "Text.", ...fields };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  expect(made.status).toBe(201);
  return made.body.campaignId;
}

const post = (campaignId: string, verb: string, body?: object) =>
  api.call("POST", `/v1/campaigns/${campaignId}/${verb}`, { key: site.key, body });

test("Compose tells what goes out meanwhile: the decision changes, and the send is listed", async () => {
  const page = await openPage("/compose");
  const story = fixture.story();
  await composeStory(page, site.siteId, story);
  await page.locator("[data-decision=send]").waitFor();
  await post(
    await draft({ title: "Sent by a feed", mode: "url", url: story, body: undefined, forceSend: true }),
    "send",
  );
  await page.getByRole("region", { name: "Sent recently" }).getByText("Sent by a feed").waitFor();
  await page
    .locator("[data-decision=skip]")
    .getByText(/was sent/)
    .waitFor();

  await page.getByRole("button", { name: "Send now…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .locator("[data-decision-now=skip]")
    .getByText(/was sent/)
    .waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a pause is shown on Compose and in its dialog, and goes when it is lifted", async () => {
  const page = await openPage("/compose");
  await composeStory(page, site.siteId, fixture.story());
  expect(await page.getByTestId("shut-gates").count()).toBe(0);
  await changeSites(fixture.app, { id: site.siteId }, { isPaused: true });
  await page.getByTestId("shut-gates").getByText("Sends of this site are paused.").waitFor();
  await page.getByTestId("send-bar-audience").getByText("Sends are paused").waitFor();
  await page.getByRole("button", { name: "Send now…" }).click();
  const dialog = page.getByTestId("send-dialog");
  await dialog.getByText("Sends of this site are paused.").waitFor();
  expect(await dialog.getByRole("button", { name: "Send to 30 people" }).isDisabled()).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  await changeTenants(fixture.app, { id: site.tenantId }, { isPaused: true });
  await dialog.getByText("Sends of this publisher are paused").waitFor();
  await changeTenants(fixture.app, { id: site.tenantId }, { isPaused: false });
  await changeSites(fixture.app, { id: site.siteId }, { isPaused: false });
  await dialog.getByRole("button", { name: "Send to 30 people", disabled: false }).waitFor();
  await page.getByTestId("shut-gates").waitFor({ state: "detached" });
});

test("a draft that a colleague sends is shown as sent, and an open dialog says so", async () => {
  const campaignId = await draft({ title: "Twice" });
  const [page, german] = [
    await openPage(`/campaigns/${campaignId}`),
    await visitAs(fixture, site.tenantId, "editor", { locale: "de-DE" }),
  ];
  await german.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
  await page.getByRole("button", { name: "Send now…" }).click();
  await german.getByRole("button", { name: "Jetzt senden…" }).click();
  await german.getByRole("button", { name: "An 30 Personen senden" }).waitFor();
  await page.getByRole("button", { name: "Send to 30 people" }).waitFor();
  await post(campaignId, "send");
  await page.getByRole("dialog").getByText("Nothing is sent twice.").waitFor();
  await german.getByRole("dialog").getByText("Nichts geht doppelt hinaus.").waitFor();
  expect(await page.getByRole("button", { name: "Send to 30 people" }).isDisabled()).toBe(true);
  await waitForRun(page, "completed");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Not yet" }).click();
  await page.getByRole("link", { name: "Send a correction…" }).waitFor();
});

test("an action on an old state is refused with what happened meanwhile", async () => {
  const campaignId = await draft({ title: "Changed" });
  const page = await openPage(`/campaigns/${campaignId}`);
  await page.getByRole("button", { name: "Cancel it" }).click();
  // The page gets no more events, as if they were late.
  await page.context().route("**/changes", (route) => route.abort());
  await page.context().route("**/dashboard/api/**/campaigns/*", (route) => route.abort());
  await post(campaignId, "send");
  await page.getByRole("button", { name: "Cancel the campaign" }).click();
  await page
    .getByRole("dialog")
    .getByText(/Nothing is sent twice\./)
    .waitFor();
});

test("lists, calendar and overview show a draft, its schedule and its end without a reload", async () => {
  const paths = ["/campaigns", "/calendar", ""];
  const [list, calendar, overview] = (await Promise.all(paths.map((path) => openPage(path)))) as [Page, Page, Page];
  await list.getByRole("heading", { level: 1 }).waitFor();
  const campaignId = await draft({ title: "Appears" });
  await list.getByRole("link", { name: "Appears" }).waitFor();
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  await post(campaignId, "schedule", { scheduleAt: inAnHour });
  await calendar.getByText("Appears").first().waitFor();
  await overview.getByText("Appears").first().waitFor();
  await post(campaignId, "cancel");
  await overview.getByText("Appears").first().waitFor({ state: "detached" });
});

test("a page whose first answer is from before a change reads again", async () => {
  const other = await openPage("/campaigns");
  const page = await visitAs(fixture, site.tenantId, "editor");
  const { promise: isChanged, resolve: change } = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  await asksAlone(page);
  await page.route(
    /\/dashboard\/api\/tenants\/[^/]+\/campaigns\?/,
    async (route) => {
      const response = await route.fetch();
      ask();
      await isChanged;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.goto(`/sites/${site.siteId}/campaigns`);
  await isAsked;
  await draft({ title: "Came between" });
  await other.getByRole("link", { name: "Came between" }).waitFor();
  change();
  await page.getByRole("link", { name: "Came between" }).waitFor();
});

test("a page whose stream was cut reads again when it is back", async () => {
  const page = await visitAs(fixture, site.tenantId, "editor");
  await page.goto(`/sites/${site.siteId}/campaigns`);
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
  await page.context().setOffline(true);
  await draft({ title: "While it was away" });
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "While it was away" }).waitFor();
});

test("a page whose stream ends says at once that the service does not answer", async () => {
  const page = await visitAs(fixture, site.tenantId, "editor");
  await page.route("**/changes", (route) => route.fulfill({ contentType: "text/event-stream", body: "" }));
  await page.route(`${fixture.url}/`, (route) => route.abort());
  await page.goto(`/sites/${site.siteId}/campaigns`);
  await page.getByText("Pressbell does not answer").waitFor();
});
