import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { composeStory, confirmSend, waitForRun, waitForUndo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
  await fixture.addReaders(site.siteId, 3);
});

async function openPage(): Promise<Page> {
  const page = await fixture.visit();
  await signIn(page, owner);
  return page;
}

const compose = (page: Page, search = "") => page.goto(`/sites/${site.siteId}/compose${search}`);
const saved = (page: Page) => page.getByTestId("save-note").getByText("Saved").waitFor();
const title = (page: Page) => page.getByLabel(/^Title/);
const campaigns = async () =>
  (await api.call("GET", `/v1/tenants/${site.tenantId}/campaigns?limit=100`, { key: site.key })).body.data;

test("an incomplete draft saves itself, appears on other pages and devices, and can be deleted", async () => {
  const page = await openPage();
  await compose(page);
  await title(page).fill("Only a title yet");
  await saved(page);
  expect(await campaigns()).toEqual([]);
  await page.reload();
  expect(await title(page).inputValue()).toBe("Only a title yet");

  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("link", { name: "Compose" }).first().click();
  await page.getByText("You go on with your last draft.").waitFor();
  expect(await title(page).inputValue()).toBe("Only a title yet");
  const phone = await openPage();
  await compose(phone);
  await phone.getByText("You go on with your last draft.").waitFor();
  expect(await title(phone).inputValue()).toBe("Only a title yet");

  await phone.getByRole("link", { name: "Start a new one" }).click();
  await phone.getByRole("region", { name: "Your other drafts" }).getByText("Only a title yet").waitFor();
  expect(await title(phone).inputValue()).toBe("");
  await phone.getByRole("button", { name: "Delete the draft “Only a title yet”" }).click();
  await phone.getByRole("button", { name: "Delete the draft", exact: true }).click();
  await phone.getByRole("region", { name: "Your other drafts" }).waitFor({ state: "detached" });
});

test("the first save leaves the page where a person has scrolled it", async () => {
  const page = await openPage();
  await compose(page, "?fresh=yes");
  let answer: (() => void) | undefined;
  const scrolled = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/autosaved-drafts/*", async (route) => {
    await scrolled;
    await route.continue();
  });
  await title(page).fill("Typed far below");
  await page.setViewportSize({ width: 1_280, height: 400 });
  await page.evaluate("scrollTo({ top: 250, behavior: 'instant' })");
  answer!();
  await page.waitForURL(/autosavedDraft=/);
  await saved(page);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  expect(await page.evaluate("scrollY")).toBe(250);
});

test("text typed after the session ended is there after the next sign-in, also offline", async () => {
  const page = await openPage();
  await compose(page, "?fresh=yes");
  await title(page).fill("Before");
  await saved(page);
  await page.context().setOffline(true);
  await title(page).fill("Written in a tunnel");
  await page.getByText("Only this browser has your text").waitFor();
  await page.context().clearCookies();
  await page.context().setOffline(false);
  await page.getByLabel("E-mail address").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await saved(page);
  expect(await title(page).inputValue()).toBe("Written in a tunnel");
});

test("of a draft that is open in two windows both texts are kept", async () => {
  const first = await openPage();
  await compose(first, "?fresh=yes");
  await title(first).fill("The same draft");
  await saved(first);
  const second = await first.context().newPage();
  await second.goto(first.url());
  await title(second).fill("Of the second window");
  await saved(second);
  await title(first).fill("Of the first window");
  await first.getByText("Both texts are kept.").waitFor();
  await first.getByRole("region", { name: "Your other drafts" }).getByText("Of the second window").waitFor();
  expect(await title(first).inputValue()).toBe("Of the first window");
});

test("what is edited while a send can be undone is kept as a draft of its own", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  await title(page).fill("What goes out");
  await confirmSend(page, "3 people");
  await title(page).fill("An afterthought");
  await waitForUndo(page, fixture);
  await waitForRun(page, "completed");
  expect((await campaigns())[0]).toMatchObject({ title: "What goes out", status: "sent" });
  await compose(page);
  await page.getByText("You go on with your last draft.").waitFor();
  expect(await title(page).inputValue()).toBe("An afterthought");
});

test("a number that no setting takes is refused, not turned into another", async () => {
  const page = await openPage();
  await page.goto(`/sites/${site.siteId}/settings/stories`);
  for (const typed of ["-5", "1.5"]) {
    await page.getByLabel("Oldest story, in hours").fill(typed);
    await page.getByRole("button", { name: "Save: When stories are worth sending" }).click();
    await page.getByText("This must be a whole number").waitFor();
    expect(await page.getByLabel("Oldest story, in hours").inputValue()).toBe(typed);
    await page.reload();
  }
});

test("Compose goes on with what was saved for a test, and leads to where a test device is added", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  await title(page).fill("Tried first");
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("This site has no test device yet.").waitFor();
  await page.getByRole("link", { name: "Add a test device" }).click();
  await page.getByLabel("Name of a new test device").waitFor();
  await page.getByRole("link", { name: "Back to Compose" }).click();
  await page.getByText("You go on with your last draft.").waitFor();
  expect(await title(page).inputValue()).toBe("Tried first");

  await page.getByRole("button", { name: "Schedule…" }).click();
  await page.getByRole("button", { name: "Not yet" }).click();
  await page.getByRole("link", { name: "Feeds" }).click();
  await page.getByRole("link", { name: "Compose" }).click();
  await page.getByText("You go on with your last draft.").waitFor();
  expect(await title(page).inputValue()).toBe("Tried first");

  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").waitFor();
  await saved(page);
  await page.getByRole("link", { name: "Feeds" }).click();
  await page.getByRole("link", { name: "Compose" }).click();
  await page.getByLabel("Address of the story").waitFor();
  expect(await title(page).inputValue()).not.toBe("Tried first");
});

test("a refused replacement of a draft by another story keeps the draft", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  await title(page).fill("Stays");
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("This site has no test device yet.").waitFor();
  const [{ campaignId }] = await campaigns();
  await page.getByLabel("Address of the story").fill(fixture.story());
  await page.getByRole("button", { name: "Try another headline" }).click();
  await page.getByLabel(/^Headline 2/).fill("Stays");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Each headline must be different.").waitFor();
  expect((await campaigns())[0]).toMatchObject({ campaignId, title: "Stays", status: "draft" });
  await page.getByLabel(/^Headline 2/).fill("Goes");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").waitFor();
  expect((await campaigns())[0]).toMatchObject({ title: "Stays", status: "draft" });
  expect((await campaigns()).find((one: { campaignId: string }) => one.campaignId === campaignId).status).toBe(
    "cancelled",
  );
});

test("a scheduled notification is edited in its place, and only what is saved goes out", async () => {
  const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/a", title: "Planned", body: "Text." };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  const { campaignId } = made.body;
  const scheduleAt = "2040-01-01T10:00:00.000Z";
  await api.call("POST", `/v1/campaigns/${campaignId}/schedule`, { key: site.key, body: { scheduleAt } });
  const shown = async () => (await campaigns()).find((one: { campaignId: string }) => one.campaignId === campaignId);
  const page = await openPage();
  await page.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByText("Your changes count once you press “Save changes”").waitFor();
  await title(page).fill("Planned better");
  await saved(page);
  expect(await shown()).toMatchObject({ title: "Planned", status: "scheduled" });
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Changes saved" }).waitFor();
  expect(await page.getByRole("button", { name: "Delete this draft" }).count()).toBe(0);
  await page.getByRole("button", { name: "Drop these changes" }).waitFor();
  expect(await shown()).toMatchObject({ title: "Planned better", status: "scheduled", scheduledAt: scheduleAt });
  expect(fixture.faults).toEqual([]);
});
