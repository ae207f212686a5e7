import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openReaderFixture, type ReaderFixture, type ReaderSite, type Visit } from "./fixture.ts";

/** The preferences form shows what has failed. */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

/** Opens the page with the form for a subscribed reader. */
async function openForm(lang = "en"): Promise<ReaderSite & Visit> {
  const site = await fixture.newSite();
  const line = `<script async src="${site.service.base}/sdk/preferences.js"></script>`;
  site.site.put("/push", `<script>document.documentElement.lang = "${lang}"</script>${line}`);
  await (await site.visit()).run("pressbell.subscribe()");
  const visited = await site.visit({ path: "/push", before: "seen = []" });
  await visited.page.locator("pressbell-preferences form").waitFor();
  return { ...site, ...visited };
}

/** An expression for the root of the form's content in the page. */
const form = 'document.querySelector("pressbell-preferences").shadowRoot';

async function expectSaid(page: Page, text: string): Promise<void> {
  const status = page.locator("pressbell-preferences").getByRole("status");
  await status.filter({ hasText: /./ }).waitFor();
  expect(await status.innerText()).toBe(text);
}

test.each([
  ["en", "Save", "That did not work. Please try again."],
  ["de", "Speichern", "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal."],
])("topics that the service does not take are not called saved (%s)", async (lang, save, said) => {
  const { page } = await openForm(lang);
  await page.route("**/subscriptions", (route) => route.abort());
  await page.getByLabel("Sports").check();
  await page.getByRole("button", { name: save }).click();
  await expectSaid(page, said);
});

test("after a failure the next try says that it is saved", async () => {
  const { page } = await openForm();
  await page.route("**/subscriptions", (route) => route.abort(), { times: 1 });
  await page.getByLabel("Sports").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expectSaid(page, "That did not work. Please try again.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
});

test("a reader agrees to breaking news at any time, and finds that on the next visit", async () => {
  const { page, visit } = await openForm();
  const breaking = (of: Page) => of.getByLabel("Always, also in quiet hours and beyond the limits");
  expect(await breaking(page).isChecked()).toBe(false);
  await breaking(page).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  const { page: later } = await visit({ path: "/push" });
  await breaking(later).waitFor();
  expect(await breaking(later).isChecked()).toBe(true);
});

test("a reader whom neither the browser nor the service lets go is not told that they have left", async () => {
  const { page, run } = await openForm();
  await page.route("**/unsubscribe", (route) => route.abort());
  await run(`void (PushManager.prototype.getSubscription = ((real) => async function () {
    return { ...(await real.call(this)), unsubscribe: () => Promise.reject(Error("not now")) };
  })(PushManager.prototype.getSubscription))`);
  await page.getByRole("button", { name: "No more notifications" }).click();
  await expectSaid(page, "That did not work. Please try again.");
  expect(await run("pressbell.state()")).toBe("subscribed");
});

test("a digest within quiet hours is refused by its field, and quiet hours without end too", async () => {
  const { page, run } = await openForm();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const times = page.locator("pressbell-preferences input[type=time]");
  const faults = () =>
    run<string[]>(`[...${form}.querySelectorAll("[type=time]")].map((time) => time.validationMessage)`);
  await page.getByLabel("None at these times").check();
  await page.locator("pressbell-preferences input[type=radio]").last().check();
  await times.first().fill("06:30");
  await page.getByRole("button", { name: "Save" }).click();
  expect(await faults()).toEqual(["Choose a time outside your quiet hours.", "", ""]);
  await times.last().fill("22:00");
  expect(await faults()).toEqual(["", "", "Choose two different times."]);
  await times.last().fill("06:30");
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
});

test.each([
  ["de_DE", "Ihre Benachrichtigungen"],
  ["en_US", "Your notifications"],
  ["x", "Your notifications"],
])("a page whose language is written as %s has the form, with the last notifications", async (lang, title) => {
  const { page, service } = await openForm(lang);
  await service.startNudge();
  await page.reload();
  await page.getByRole("heading", { name: title }).waitFor();
  await page.locator("pressbell-preferences li").waitFor();
});

test("who uses the keyboard stays where they were", async () => {
  const { page, run } = await openForm();
  await page.getByRole("button", { name: "Save" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Saved.", { exact: true }).waitFor();
  expect(await run(`${form}.activeElement?.textContent`)).toBe("Save");
});

test("a reader whose subscription this visit renews has the form, with their topics", async () => {
  const { run, visit, service } = await openForm();
  await run(`pressbell.setTopics(${JSON.stringify([service.topics[1]!.topicId])})`);
  await run('localStorage.setItem("test.subscription", null)');
  const { page } = await visit({ path: "/push" });
  await page.getByRole("heading", { name: "Your notifications" }).waitFor();
  expect(await page.getByLabel("Sports").isChecked()).toBe(true);
});

test("a reader of a site that was removed can still have their data deleted", async () => {
  const { page, service, run } = await openForm();
  await service.remove();
  await page.reload();
  await page.getByRole("button", { name: "Delete my data" }).click();
  await page.getByRole("status").filter({ hasText: /./ }).waitFor();
  expect(await service.subscribers()).toEqual([]);
  expect(await run("pressbell.state()")).toBe("unsubscribed");
});

test("a reader sees what the site has said of them, and what they remove is not said again", async () => {
  const { service, site, visit } = await fixture.newSite();
  await service.declareFacts([{ name: "plan", label: "Your plan", values: ["free", "paid"] }]);
  const facts = `<script async src="${service.base}/sdk/facts.js" data-plan="paid" data-age="old"></script>`;
  const form = `<script async src="${service.base}/sdk/preferences.js"></script>`;
  site.put("/push", form);
  site.put("/story", facts);
  const isTold = (page: Page) =>
    page.waitForResponse((response) => response.url().endsWith("/preferences") && response.ok());
  const first = await visit({ path: "/story" });
  const told = isTold(first.page);
  await first.run("pressbell.subscribe()");
  await told;
  const { page } = await visit({ path: "/push" });
  await page.getByText("What this site told us about you").waitFor();
  await page.getByText("Your plan: paid").waitFor();
  await page.getByRole("button", { name: "Remove for good" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  expect(await page.getByText("Your plan: paid").count()).toBe(0);
  site.put("/other", facts.replace("paid", "free"));
  await visit({ path: "/other" });
  const again = await visit({ path: "/push" });
  await again.page.locator("pressbell-preferences form").waitFor();
  expect(await again.page.getByText("Your plan").count()).toBe(0);
});
