import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { composeStory, confirmSend, waitForRun, waitForUndo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

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
  await page.getByRole("button", { name: "Undo" }).click();
  await page.clock.fastForward(30_000);
  await page.getByTestId("pending-send").waitFor({ state: "detached" });
  expect((await campaigns())[0]).toMatchObject({ title: "Undone", status: "draft", forceSend: true });
});

test("a send shows its progress, and can be stopped", async () => {
  const slow = fixture.pushService.answerWith({ behaviour: "answer", delayMs: 4_000 });
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await confirmSend(page, "600 people");
  await waitForUndo(page);
  await waitForRun(page, "sending");
  const shown = async (name: string) => {
    const text = await page.locator(`[data-count="${name}"]`).innerText();
    return Number(text.replace(",", ""));
  };
  // Without a reload, only events of the service can change the count.
  await eventually(async () => (await shown("accepted")) > 0, 30_000, "the first of them");

  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await waitForRun(page, "stopped");
  await page.getByText("The run was stopped first.").waitFor();
  expect(await shown("notSent")).toBeGreaterThan(0);
  expect((await shown("accepted")) + (await shown("notSent"))).toBe(600);
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
  await second.clock.install();
  for (const page of [first, second]) {
    await page.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
    await confirmSend(page, "600 people");
  }
  await Promise.all([waitForUndo(first), waitForUndo(second)]);
  await Promise.all([waitForRun(first, "completed"), waitForRun(second, "completed")]);
  const { body: shown } = await api.call("GET", `/v1/campaigns/${campaignId}`, { key: site.key });
  const { body: run } = await api.call("GET", `/v1/runs/${shown.runId}`, { key: site.key });
  expect(run).toMatchObject({ audience: 600, accepted: 600 });
});

test("a send whose connection is lost shows that, and a retry sends it once", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel(/^Title/).fill("Lost line");
  await confirmSend(page, "600 people");
  await page.context().setOffline(true);
  await waitForUndo(page);
  await page.getByText("Not sent. The service does not answer.").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await waitForRun(page, "completed");
  expect((await campaigns())[0]).toMatchObject({ title: "Lost line", status: "sent" });
});

test("a schedule uses the time zone of the site, and can be cancelled", async () => {
  const page = await openPage();
  await composeStory(page, site.siteId, fixture.story());
  await page.getByRole("button", { name: "Schedule…" }).click();
  const year = new Date().getFullYear() + 1;
  await page.getByLabel("Day and time in Europe/Berlin").fill(`${year}-01-15T08:30`);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText("It waits for its time.").waitFor();
  expect((await campaigns())[0]).toMatchObject({ status: "scheduled", scheduledAt: `${year}-01-15T07:30:00.000Z` });

  await page.getByRole("button", { name: "Cancel it" }).click();
  await page.getByRole("button", { name: "Cancel the campaign" }).click();
  await page.getByText("It was cancelled: nobody got it.").waitFor();
});
