import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { turnTestClock } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeInTurn } from "../fixtures/rows/subscribers.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, confirmSend, waitForRun, waitForUndo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn, signInToOverview } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
  await fixture.addReaders(site.siteId, 600);
});

async function openPage(): Promise<Page> {
  const page = await fixture.visit();
  await page.clock.install();
  await signIn(page, owner);
  return page;
}

const campaigns = async () =>
  (await api.call("GET", `/v1/tenants/${site.tenantId}/campaigns?limit=100`, { key: site.key })).body.data;

test("a send that is undone within ten seconds never starts", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill("Undone");
  await confirmSend(page, "600 people");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("Undone. No reader got it.").waitFor();
  await page.clock.fastForward(30_000);
  await page.getByTestId("undo-window").waitFor({ state: "detached" });
  expect((await campaigns())[0]).toMatchObject({ title: "Undone", status: "draft", forceSend: true });
});

test("a send shows its progress, and can be stopped", async () => {
  const slow = fixture.pushService.answerWith({ behaviour: "answer", delayMs: 4_000 });
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await confirmSend(page, "600 people");
  await waitForUndo(page, fixture);
  await waitForRun(page, "sending");
  const shown = async (name: string) => {
    const text = await page.locator(`[data-count="${name}"]`).innerText();
    return Number(text.replace(",", ""));
  };
  // The page is not reloaded, so only events of the service can change the count.
  await eventually(async () => (await shown("accepted")) > 0, 30_000, "the first of them");

  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await waitForRun(page, "stopped");
  await page.getByText("The run was stopped first.").waitFor();
  expect(await shown("notSent")).toBeGreaterThan(0);
  expect((await shown("accepted")) + (await shown("notSent"))).toBe(600);
  const reached = await shown("accepted");
  await page.getByText(new RegExp(`^Reached ${reached} of 600 people · `)).waitFor();
  expect(await page.getByText("100%").count()).toBe(0);
  await page.getByText("Stopped", { exact: true }).nth(1).waitFor();
  slow();
});

test("a title with markup and direction characters is shown as plain text everywhere", async () => {
  const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  const page = await openPage();
  page.on("dialog", (dialog) => fixture.faults.push(`a dialog: ${dialog.message()}`));
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill(`${hostile} \u202Eevil`);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").waitFor();
  for (const path of ["campaigns", `campaigns/${(await campaigns())[0].campaignId}`]) {
    await page.goto(`/sites/${site.siteId}/${path}`);
    await page.getByText(`${hostile} evil`).first().waitFor();
    expect(await page.locator("main script, main img[src=x]").count()).toBe(0);
  }
  expect(fixture.faults).toEqual([]);
});

test("two headlines are tried; the page shows the clicks of each, and which one the rest gets", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill("Bridge opens");
  await page.getByRole("button", { name: "Try another headline" }).click();
  await page.getByLabel(/^Headline 2/).fill("Bridge opens");
  await page.getByLabel("The others wait at most").selectOption("10 minutes");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Each headline must be different.").waitFor();
  await page.getByLabel(/^Headline 2/).fill("Cars may cross again");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Draft saved").waitFor();
  const [{ campaignId, variants, testMinutes }] = await campaigns();
  expect({ variants, testMinutes }).toEqual({ variants: [{ title: "Cars may cross again" }], testMinutes: 10 });
  await api.call("PATCH", `/v1/campaigns/${campaignId}`, { key: site.key, body: { testShare: 60 } });
  await page.waitForURL(/autosavedDraft=/);
  await page.reload();
  expect(await page.getByLabel(/^Headline 2/).inputValue()).toBe("Cars may cross again");
  await confirmSend(page, "600 people");
  await waitForUndo(page, fixture);
  const test = page.getByRole("region", { name: "Headlines" });
  await test.getByText(/All others get the better one as soon as it is clear, at the latest/).waitFor();
  await eventually(async () => /[1-9]\d\d people|\d{3} of 600/.test(await page.locator("main").innerText()));
  const { runId } = (await api.call("GET", `/v1/campaigns/${campaignId}`, { key: site.key })).body;
  await turnTestClock(fixture.app, runId, 10);
  await test.getByText("No click was counted", { exact: false }).waitFor();
  await test.getByRole("row", { name: /^Bridge opens for all others/ }).waitFor();
  await waitForRun(page, "completed");
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a campaign's variants are shown before the send, and each has its own row", async () => {
  const picture = "https://images.example/ferry.jpg";
  const body = {
    siteId: site.siteId,
    mode: "manual",
    url: "https://news.example/b",
    title: "Tried",
    body: "With a text.",
    variants: [{ title: "Tried otherwise" }, { body: "Another text." }, { imageUrl: picture }],
  };
  const { campaignId } = (await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body }))
    .body;
  const page = await openPage();
  await page.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
  const shown = ["Or: Tried otherwise", "Or: Another text.", `Or: ${picture}`];
  const nudge = page.getByRole("region", { name: "Notification" });
  for (const variant of shown) await nudge.getByText(variant, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Send now…" }).click();
  for (const variant of shown) await page.getByRole("dialog").getByText(variant, { exact: true }).waitFor();
  await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key: site.key });
  await page.reload();
  const test = page.getByRole("region", { name: "Headlines", exact: true });
  for (const row of ["Tried otherwise With a text. no picture", "Tried Another text.", `Tried With a text. ${picture}`])
    await test.getByRole("row", { name: new RegExp(`^${row}`) }).waitFor();
  await nudge.getByText(shown[0]!).waitFor({ state: "detached" });
});

test("two tabs that send the same draft start one run, and both show it", async () => {
  const draft = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, {
    key: site.key,
    body: {
      siteId: site.siteId,
      mode: "manual",
      url: "https://news.example/a",
      title: "Twice",
      body: "From two tabs.",
    },
  });
  const { campaignId } = draft.body;
  const first = await openPage();
  const second = await first.context().newPage();
  for (const page of [first, second]) {
    await page.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
    await page.getByRole("button", { name: "Send now…" }).click();
    await page.getByRole("button", { name: "Send to 600 people" }).waitFor();
  }
  for (const page of [first, second]) await page.getByRole("button", { name: "Send to 600 people" }).click();
  await second.getByRole("button", { name: "Undo", exact: true }).waitFor();
  await waitForUndo(first, fixture);
  await Promise.all([waitForRun(first, "completed"), waitForRun(second, "completed")]);
  const { body: shown } = await api.call("GET", `/v1/campaigns/${campaignId}`, { key: site.key });
  const { body: run } = await api.call("GET", `/v1/runs/${shown.runId}`, { key: site.key });
  expect(run).toMatchObject({ audience: 600, accepted: 600 });
});

test("a send whose connection is lost at the confirmation says so, and a retry sends it once", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill("Lost line");
  await page.getByRole("button", { name: "Send now…" }).click();
  const send = page.getByRole("button", { name: "Send to 600 people" });
  await send.waitFor();
  await page.context().setOffline(true);
  await send.click();
  await page.getByTestId("send-dialog").getByText("The service does not answer.").waitFor();
  await page.context().setOffline(false);
  await send.click();
  await waitForUndo(page, fixture);
  await waitForRun(page, "completed");
  expect((await campaigns())[0]).toMatchObject({ title: "Lost line", status: "sent" });
});

test("a send can be taken back after a reload and on another device, and all say how it ended", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill("Two devices");
  await confirmSend(page, "600 people");
  await page.reload();
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
  const phone = await fixture.visit({ viewport: { width: 390, height: 844 } });
  await signInToOverview(phone, owner);
  await phone.getByRole("button", { name: "Undo", exact: true }).click();
  for (const one of [phone, page]) await one.getByText("Undone. No reader got it.").waitFor();
  expect((await campaigns())[0]).toMatchObject({ title: "Two devices", status: "draft" });
});

test("a send whose tab was closed starts, and the next page says that it was sent", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill("Closed tab");
  await confirmSend(page, "600 people");
  await page.close();
  const next = await openPage();
  await next.goto("/");
  await waitForUndo(next, fixture);
  const closed = next.getByTestId("undo-window").filter({ hasText: "Closed tab" });
  await closed.getByText("Sent.").waitFor();
  await closed.getByRole("link", { name: "Open it" }).click();
  await waitForRun(next, "completed");
});

test("a pause is announced before the countdown, and ends a countdown with a reason", async () => {
  const page = await openPage();
  const pause = (paused: boolean) => changeSites(fixture.app, { id: site.siteId }, { isPaused: paused });
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill("Held up");
  await pause(true);
  await page.getByTestId("shut-gates").waitFor();
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByRole("dialog").getByTestId("shut-gates").waitFor();
  expect(await page.getByRole("button", { name: "Send to 600 people" }).isDisabled()).toBe(true);
  await pause(false);
  await page.getByTestId("shut-gates").first().waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send to 600 people" }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
  await pause(true);
  await waitForUndo(page, fixture);
  await page.getByText("Not sent. Sends are paused.").waitFor();
  await pause(false);
  expect((await campaigns())[0]).toMatchObject({ title: "Held up", status: "draft" });

  // The message about it must not cover a button of a dialog that opens meanwhile.
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.getByRole("button", { name: "Schedule…" }).click();
  await page.getByRole("button", { name: "tomorrow 7:00" }).click();
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText("It waits for its time.").waitFor();
});

test("a schedule uses the time zone of the site, and can be cancelled", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByRole("button", { name: "Schedule…" }).click();
  const year = new Date().getFullYear() + 1;
  await page.getByLabel("Day and time in Europe/Berlin").fill(`${year - 2}-01-15T08:30`);
  await page.getByText("This time has passed. Choose a later one.").waitFor();
  expect(await page.getByRole("button", { name: "Schedule", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "tomorrow 7:00" }).click();
  expect(await page.getByLabel("Day and time in Europe/Berlin").inputValue()).toMatch(/T07:00$/);
  await page.getByLabel("Day and time in Europe/Berlin").fill(`${year}-01-15T08:30`);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText("It waits for its time.").waitFor();
  await page.getByText(`15 Jan ${year}`).waitFor();
  expect((await campaigns())[0]).toMatchObject({ status: "scheduled", scheduledAt: `${year}-01-15T07:30:00.000Z` });

  await page.getByRole("button", { name: "Cancel it" }).click();
  await page.getByRole("button", { name: "Cancel the campaign" }).click();
  await page.getByText("It was cancelled: nobody got it.").waitFor();
});

test("a local-time delivery goes out where each reader is; its page shows who gets it when", async () => {
  await changeInTurn(fixture.app, site.siteId, [{ timeZone: "Europe/Berlin" }, { timeZone: "America/New_York" }]);
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByRole("button", { name: "Schedule…" }).click();
  await page.getByLabel("At this time in each reader’s time zone").check();
  await page.getByLabel("Day and time", { exact: true }).fill("2020-01-15T07:00");
  await page.getByText("This time has passed. Choose a later one.").waitFor();
  // A local time that was two minutes ago in Berlin, and that is six hours away in New York.
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin", dateStyle: "short", timeStyle: "short" });
  const local = shown.format(Date.now() - 120_000).replace(" ", "T");
  await page.getByLabel("Day and time", { exact: true }).fill(local);
  await page.getByText("time zone: the first readers on earth", { exact: false }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText(/^It is past .* These readers get it at once\.$/).waitFor();
  const [{ campaignId, localTime }] = await campaigns();
  expect(`${localTime.date}T${localTime.time}`).toBe(local);

  const waves = page.getByRole("table", { name: "Where the readers are" });
  await waves.getByRole("row", { name: /The time had passed 300 300 Sent$/ }).waitFor();
  await waves.getByRole("row", { name: /UTC-0[45]:00 300 0 Waiting$/ }).waitFor();
  await page.getByText(/^Each reader gets it on .*, local time\. Next: 300 people, /).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await waves.getByRole("row", { name: /300 0 Stopped$/ }).waitFor();
  expect((await api.call("GET", `/v1/campaigns/${campaignId}`, { key: site.key })).body.status).toBe("stopped");

  await page.goto(`/sites/${site.siteId}/compose?copy=${campaignId}`);
  await page.getByRole("button", { name: "Schedule…" }).click();
  await page.getByLabel("At this time in each reader’s time zone").check();
  const year = new Date().getFullYear() + 1;
  await page.getByLabel("Day and time", { exact: true }).fill(`${year}-01-15T07:00`);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText(`15 Jan ${year}, 07:00, readers’ local time`, { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Cancel it" }).click();
  await page.getByRole("button", { name: "Cancel the campaign" }).click();
  await page.getByText("It was cancelled: nobody got it.").waitFor();
});

test("the last event of a run shows its end in the card and in the badge, without a reload", async () => {
  const slow = fixture.pushService.answerWith({ behaviour: "answer", delayMs: 3_000 });
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await confirmSend(page, "600 people");
  await waitForUndo(page, fixture);
  await waitForRun(page, "sending");
  await page.getByRole("main").getByText("Sending", { exact: true }).nth(1).waitFor();
  slow();
  await waitForRun(page, "completed");
  // "Sent" appears twice: in the heading of the card, and in the badge.
  await page.getByRole("main").getByText("Sent", { exact: true }).nth(1).waitFor();
  await page.getByText("Reached 600 of 600 people · 100%").waitFor();
  await page.getByText(/^Began .*\d\d:\d\d:\d\d, took (under a second|.*\d s)$/).waitFor();
  await page.getByText("To everybody").waitFor();
  await page.getByText(`Sent by ${owner.email}`).waitFor();
  const pushServices = page.getByRole("region", { name: "By push service" });
  await pushServices.getByText("600 of 600").waitFor();
  await pushServices.getByText("100%").waitFor();
});

test("a story is called sent unless it is duplicated, and an address needs no https://", async () => {
  const page = await openPage();
  const story = fixture.story();
  await composeStory(page, site.siteId, story);
  await confirmSend(page, "600 people");
  await waitForUndo(page, fixture);
  await waitForRun(page, "completed");
  await page.getByRole("link", { name: "Duplicate" }).click();
  await page.getByRole("button", { name: "Write it from a story" }).waitFor();
  expect(await page.locator("[data-decision]").count()).toBe(0);
  await composeStory(page, site.siteId, story, "?fresh=yes");
  await page.getByText("This story was sent to this site").waitFor();
  expect(await page.getByRole("main").innerText()).not.toMatch(/\d{4}-\d\d-\d\dT/);
  await page.getByRole("button", { name: "Write it by hand" }).click();
  const address = page.getByLabel("Address that opens on a click");
  await address.fill("harbour.example/a");
  await address.blur();
  expect(await address.inputValue()).toBe("https://harbour.example/a");
});

test("a page that could not be used is read again at a click", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, `${fixture.feeds.origin}/soon`, "?fresh=yes");
  await page.getByText("The page answers with HTTP status 404").waitFor();
  expect(await page.getByRole("button", { name: "Send now…" }).isDisabled()).toBe(true);
  fixture.feeds.publish("/soon", "The harbour opens");
  await page.getByRole("button", { name: "Read the page again" }).click();
  await page.locator("[data-decision=send]").waitFor();
  expect(await page.getByLabel(/^Title/).inputValue()).toBe("The harbour opens");
  await page.getByRole("button", { name: "Read the page again" }).waitFor({ state: "detached" });
});
