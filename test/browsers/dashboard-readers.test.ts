import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { readerSite, siteById } from "../../src/tenants/sites/queries.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { createApi } from "../fixtures/app.ts";
import { type BrowserSubscription, createSubscriptions, operatorOf } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { ahead, present } from "../fixtures/rows/change.ts";
import { addClickOutcomes, addReceipts, addScreenTimes } from "../fixtures/rows/receipts.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers, deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { waitForRun } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
});

const fileOf = (lines: string[]) => ({
  name: "readers.ndjson",
  mimeType: "application/x-ndjson",
  buffer: Buffer.from(lines.join("")),
});
const lineOf = (subscription: unknown) => `${JSON.stringify(subscription)}\n`;

test("an owner imports a file that is uploaded in parts, and sees each wrong line by its number", async () => {
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  await page.getByText("Nobody yet.").waitFor();
  const lines = createSubscriptions(2_600).map(lineOf);
  lines[1] = "nonsense\n";
  lines[2_500] = lineOf({ ...createSubscriptions(1)[0], keys: { p256dh: "AA", auth: "AA" } });
  const region = page.getByRole("region", { name: "Import" });
  await region.locator('input[type="file"]').setInputFiles(fileOf(lines));
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("2,600 lines: 2,598 new, 0 changed, 0 known already, 2 wrong.").waitFor();
  await region.getByText("1 line: not readable (line 2)").waitFor();
  await region
    .getByText("1 line: the key is not on the curve: it is damaged, or from another column (line 2,501)")
    .waitFor();
  await page.getByText("2,598 people can be reached.").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the list" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("wrong-lines.txt");
});

const csvOf = (rows: string[][]) => ({
  name: "onesignal.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(rows.map((cells) => `${cells.join(",")}\r\n`).join("")),
});
const columns = ["id", "identifier", "device_type", "invalid_identifier", "web_auth", "web_p256"];

test("OneSignal's export shows its columns, imports readers, and returns the wrong lines", async () => {
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  const region = page.getByRole("region", { name: "Import" });
  const rows = createSubscriptions(12).map(({ endpoint, keys }, n) =>
    n < 3
      ? [`${n}`, endpoint, "5", n === 0 ? "t" : "f", keys.auth, "AAAA"]
      : [`${n}`, endpoint, "5", "f", keys.auth, keys.p256dh],
  );
  await region.locator('input[type="file"]').setInputFiles(csvOf([columns, ...rows]));
  await region.getByText("This is a table with 6 columns, separated by commas.").waitFor();
  expect(await region.getByLabel("Address").inputValue()).toBe("1");
  expect(await accessibilityFaults(page)).toEqual([]);
  await region.getByLabel("Key", { exact: true }).selectOption("None");
  await region.getByText("Choose the columns with address, key and secret.").waitFor();
  expect(await region.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
  await region.getByLabel("Key", { exact: true }).selectOption("web_p256");
  await region.getByRole("button", { name: "Import", exact: true }).click();
  await region.getByText("12 lines: 9 new, 0 changed, 0 known already, 3 wrong.").waitFor();
  await region
    .getByText("2 lines: the key is not on the curve: it is damaged, or from another column (lines 3, 4)")
    .waitFor();
  await region.getByText("1 line: unsubscribed at the other service, and stays out (line 2)").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    region.getByRole("button", { name: "Save these lines" }).click(),
  ]);
  const named = columns.map((name) => `"${name}"`).join(",");
  const wrong = rows.slice(0, 3).map((cells) => `${cells.join(",")}\n`);
  expect(await text(await download.createReadStream())).toBe(`${named}\n${wrong.join("")}`);
});

test("an import in which every line is wrong ends with the words that nobody was imported", async () => {
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  const region = page.getByRole("region", { name: "Import" });
  const notPacked = { name: "readers.csv.gz", mimeType: "application/gzip", buffer: Buffer.from("a,b\n") };
  await region.locator('input[type="file"]').setInputFiles(notPacked);
  await region.getByText("This file cannot be read.").waitFor();
  const { endpoint, keys } = createSubscriptions(1)[0]!;
  await region
    .locator('input[type="file"]')
    .setInputFiles(csvOf([columns, ["1", endpoint, "5", "f", keys.auth, "AAAA"]]));
  await region.getByRole("button", { name: "Import", exact: true }).click();
  await region.getByText("No reader was imported").waitFor();
  await region.getByText("Not one line of the file was right.", { exact: false }).waitFor();
  expect(fixture.faults).toEqual([]);
});

test("a column that looks like an end is named, and who has left comes back only if asked to", async () => {
  const [left, other] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
  const reader = createReaderClient(api, ids.siteId);
  expect((await reader.subscribe(left)).status).toBe(201);
  await reader.unsubscribe(left);
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  const region = page.getByRole("region", { name: "Import" });
  const rows = [left, other].map(({ endpoint, keys }) => [endpoint, keys.p256dh, keys.auth, "", "2"]);
  const file = csvOf([["endpoint", "p256dh", "auth", "goodbye_note", "status"], ...rows]);
  await region.locator('input[type="file"]').setInputFiles(file);
  await region.getByText("goodbye_note, status (2).", { exact: false }).waitFor();
  await region.getByRole("button", { name: "Import", exact: true }).click();
  await region.getByText("2 lines: 1 new, 0 changed, 0 known already, 1 wrong.").waitFor();
  await region.getByText("1 line: has left this site, or was deleted here, and stays out (line 2)").waitFor();
  await region.locator('input[type="file"]').setInputFiles({ ...file, name: "again.csv" });
  await region.getByLabel("Bring back who has left").check();
  await region.getByRole("button", { name: "Import", exact: true }).click();
  await region.getByText("2 lines: 1 new, 0 changed, 1 known already, 0 wrong.").waitFor();
  expect(fixture.faults).toEqual([]);
});

test("topics are added, renamed and retired, and a duplicate name shows an error", async () => {
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  const region = page.getByRole("region", { name: "Topics" });
  for (const name of ["Sport", "Weather"]) {
    await region.getByLabel("New topic").fill(name);
    await region.getByRole("button", { name: "Add" }).click();
    await region.getByText(name, { exact: true }).waitFor();
  }
  await region.getByRole("button", { name: "Rename the topic Sport" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New name").fill("Weather");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await dialog.getByText("is the name of another topic").waitFor();
  await dialog.getByLabel("New name").fill("Football");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await region.getByText("Football", { exact: true }).waitFor();
  await region.getByRole("button", { name: "Retire the topic Weather" }).click();
  await page.getByRole("button", { name: "Retire the topic", exact: true }).click();
  await region.getByText("Weather", { exact: true }).waitFor({ state: "detached" });
});

test("an editor sees no import, and the service refuses one", async () => {
  const editor = await visitAs(fixture, ids.tenantId, "editor");
  await editor.goto(`/sites/${ids.siteId}/subscribers`);
  await editor.getByLabel("Name of a new test device").waitFor();
  expect(await editor.getByRole("region", { name: "Import" }).count()).toBe(0);
  const status = await editor.evaluate<number>(
    `fetch("/dashboard/api/tenants/${ids.tenantId}/sites/${ids.siteId}/subscribers", { method: "POST",
      headers: { "content-type": "application/x-ndjson" }, body: "{}" }).then(({ status }) => status)`,
  );
  expect(status).toBe(403);
});

test("a test device is added by a link, appears when it joins, and is removed", async () => {
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  await page.getByText("None yet.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Make a link" }).click();
  await page.getByText("This must not be empty.").waitFor();
  await page.getByLabel("Name of a new test device").fill("Newsroom phone");
  await page.getByRole("button", { name: "Make a link" }).click();
  await page.getByRole("img", { name: "QR code of the link for Newsroom phone" }).waitFor();
  const link = await page.getByRole("region", { name: "link for the device" }).innerText();
  const joined = await api.call("POST", `/sdk/sites/${ids.siteId}/subscriptions`, {
    headers: { origin: "https://news.example" },
    body: { subscription: createSubscriptions(1)[0], testToken: link.trim().split("pressbell-test=")[1] },
  });
  expect(joined.status).toBe(201);
  await page.getByText("A device has joined").waitFor();
  await page.getByRole("button", { name: "Remove the device Newsroom phone" }).click();
  await page.getByRole("button", { name: "Remove the device", exact: true }).click();
  await page.getByText("None yet.", { exact: true }).waitFor();
});

test("an owner sees refused subscribers where there are any, and deletes the excluded", async () => {
  await changeSubscribers(fixture.app, { siteId: ids.siteId, isTest: false, newest: 7 }, { refusedRuns: 3 });
  const editor = await visitAs(fixture, ids.tenantId, "editor");
  await editor.goto(`/sites/${ids.siteId}/subscribers`);
  await editor.getByLabel("Name of a new test device").waitFor();
  const regionOf = (each: typeof page) => each.getByRole("region", { name: "Refused subscribers" });
  expect(await regionOf(editor).count()).toBe(0);
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  await regionOf(page).getByRole("cell", { name: "7" }).first().waitFor();
  await regionOf(page).getByRole("button", { name: "Delete the excluded ones" }).click();
  await page.getByRole("button", { name: "Delete 7" }).click();
  await regionOf(page).waitFor({ state: "detached" });
});

test("a campaign shows its receipts, and the overview their effect", async () => {
  await deleteSubscribers(fixture.app, { siteId: ids.siteId });
  await fixture.addReaders(ids.siteId, 40);
  const body = { siteId: ids.siteId, mode: "manual", url: "https://news.example/a", title: "Bridge", body: "Open." };
  const made = await api.call("POST", `/v1/tenants/${ids.tenantId}/campaigns`, { key: ids.key, body });
  const { campaignId } = made.body;
  const { runId } = (await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key: ids.key })).body;
  await page.goto(`/sites/${ids.siteId}/campaigns/${campaignId}`);
  await waitForRun(page, "completed");
  await page.getByText("No browser has reported yet.").waitFor();
  await addReceipts(fixture.app, runId, { displayed: 20, clicked: 4, dismissed: 1 }, present);
  await addClickOutcomes(fixture.app, runId, { read: 6, second_page: 2, quiz_done: 1 });
  await addScreenTimes(fixture.app, runId, { 5: 15, 60: 13, 28800: 2 });
  await addReceipts(fixture.app, runId, { displayed: 10, clicked: 4, dismissed: 1, unsubscribed: 1 }, ahead("3 hours"));
  await page.reload();
  await page.locator('[data-receipts="displayed"]').getByText("30", { exact: true }).waitFor();
  const readers = page.getByRole("region", { name: "What readers did" });
  expect(await readers.innerText()).toMatch(/8\s+20%\s+of those reached/);
  await readers
    .getByText(
      "Of the 30 displayed, half were on the screen within 5 seconds, 90% within 59 seconds, 99% within 7 hours.",
    )
    .waitFor();
  const afterClick = readers.getByRole("table", { name: "After the click" });
  expect(await afterClick.getByRole("row").allInnerTexts()).toEqual([
    "After the click\tReaders\tShare of clicks",
    "Read to the end\t6\t75%",
    "Opened a second page\t2\t25%",
    "quiz_done\t1\t12.5%",
  ]);
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/after-click.png`, fullPage: true });
  await changeSites(fixture.app, { id: ids.siteId }, { screenGoalSeconds: 30 });
  await page.reload();
  await readers.getByText("The goal of 90% within 30 seconds was missed.").waitFor();
  await readers.locator(".recharts-bar-rectangle").first().waitFor();
  await page.goto(`/sites/${ids.siteId}`);
  await page.getByText("8 clicked (20%) · 30 displayed").waitFor();
});

/**
 * Saves a section of the settings. Resolves when the service has answered. A test must not check the result or leave
 * the page before.
 */
async function save(part: string): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.request().method() !== "GET");
  await page.getByRole("button", { name: `Save: ${part}` }).click();
  await answered;
}

test("an owner chooses the topics of the prompt, and sees them in it", async () => {
  const name = "Harbour";
  await addTopic(fixture.app, operatorOf(ids.tenantId), { siteId: ids.siteId, name });
  await page.goto(`/sites/${ids.siteId}/settings/prompt`);
  await page.getByRole("combobox", { name: "Topics that readers can tick" }).click();
  await page.getByRole("listbox").getByRole("option", { name }).click();
  await page.keyboard.press("Escape");
  expect(await page.getByTestId("prompt-preview").innerText()).toMatch(/Also notify me about\s+Harbour/);
  await page.getByLabel("Above the topics").fill("And about");
  await save("What readers are asked");
  await page.getByText("Saved.").waitFor();
  const { prompt, topics: all } = (await readerSite(fixture.app.db, ids.siteId))!;
  expect(prompt).toEqual({ topicIds: [all.find((topic) => topic.name === name)!.topicId], topicsLabel: "And about" });
  await changeSite(fixture.app, operatorOf(ids.tenantId), {
    siteId: ids.siteId,
    prompt: { topicIds: null, topicsLabel: null },
  });
});

test("an owner sets when the prompt appears, and sees which line is no path", async () => {
  await page.goto(`/sites/${ids.siteId}/settings/prompt`);
  await page.getByLabel("Before it stores or asks anything").selectOption("google");
  await page.getByLabel("From which page of the site on").fill("3");
  await page.getByLabel("Percent of the article that is read").fill("50");
  await page.getByLabel("Only on these paths").fill("/sport/*\nlocal");
  await page.getByLabel("Never on these paths").fill("/shop/*\n\n");
  await save("What readers are asked");
  await page.getByText("These must be paths of this site, such as /sport/*, of at most 200 characters.").waitFor();
  await page.getByLabel("Only on these paths").fill("/sport/*");
  await save("What readers are asked");
  await page.getByText("Saved.").waitFor();
  const rule = { consent: "google", fromPage: 3, scrollPercent: 50, onlyPaths: ["/sport/*"], neverPaths: ["/shop/*"] };
  expect((await readerSite(fixture.app.db, ids.siteId))!.prompt).toEqual(rule);
  await changeSite(fixture.app, operatorOf(ids.tenantId), { siteId: ids.siteId, prompt: { consent: null } });
  await page.reload();
  for (const label of ["From which page of the site on", "Percent of the article that is read", "Only on these paths"])
    await page.getByLabel(label).fill("");
  await page.getByLabel("Never on these paths").fill("");
  await save("What readers are asked");
  await expect.poll(async () => (await readerSite(fixture.app.db, ids.siteId))!.prompt).toEqual({});
});

test("an owner writes the prompt in another language, and removes the language again", async () => {
  await page.goto(`/sites/${ids.siteId}/settings/prompt`);
  await page.getByLabel("Language", { exact: true }).fill("de");
  await page.getByRole("button", { name: "Add the language" }).click();
  const german = page.getByRole("group", { name: "German" });
  await german.getByLabel("Question").fill("x".repeat(81));
  await save("What readers are asked");
  await german.getByText("80 characters").waitFor();
  await german.getByLabel("Question").fill("Eilmeldungen sofort?");
  await save("What readers are asked");
  await page.getByText("Saved.").waitFor();
  const prompt = async () => (await readerSite(fixture.app.db, ids.siteId))!.prompt;
  expect(await prompt()).toEqual({ languages: { de: { title: "Eilmeldungen sofort?" } } });
  await page.getByRole("button", { name: "Remove German" }).click();
  await save("What readers are asked");
  await expect.poll(prompt).toEqual({});
});

test("settings for the prompt, notifications and origins are saved and removed again", async () => {
  await page.goto(`/sites/${ids.siteId}/settings/prompt`);
  await page.getByLabel("Question").fill("News from the river?");
  await page.getByLabel("Days of rest after “later”").fill("400");
  expect(await page.getByTestId("prompt-preview").innerText()).toContain("News from the river?");
  await save("What readers are asked");
  await page.getByText("This must be a whole number from 1 to 365.").waitFor();
  await page.getByLabel("Days of rest after “later”").fill("");
  await save("What readers are asked");
  await page.getByText("Saved.").waitFor();
  expect((await readerSite(fixture.app.db, ids.siteId))!.prompt).toEqual({ title: "News from the river?" });

  const open = (name: string) => page.getByRole("navigation", { name: "Section" }).getByRole("link", { name }).click();
  await open("Notifications");
  await page.getByLabel("Icon", { exact: true }).fill("http://news.example/icon.png");
  await page.getByLabel("utm_source").fill("bell");
  await page.getByLabel("How a click leads to the story").selectOption("redirect");
  await save("What each notification carries");
  await page
    .getByText("Ask the person who runs Pressbell to set its public address first.")
    .or(page.getByText("This must be an address that begins with https://."))
    .first()
    .waitFor();
  await page.getByLabel("How a click leads to the story").selectOption("token");
  await page.getByLabel("Icon", { exact: true }).fill("");
  // Waits until the message of the previous save is gone.
  await page.getByText("Saved.").waitFor({ state: "detached" });
  await save("What each notification carries");
  await page.getByText("Saved.").waitFor();
  await open("Readers");
  await page.getByLabel("Further addresses, one a line").fill("https://m.news.example\nnews.example");
  await save("Where readers come from");
  await page
    .getByText("Write addresses like https://m.news.example, each in a line of its own. This is none: news.example")
    .waitFor();
  await page.getByLabel("Further addresses, one a line").fill("https://m.news.example");
  await page.getByLabel("Months after which a silent browser is removed").fill("");
  await save("Where readers come from");
  await page.reload();
  expect(await page.getByLabel("Further addresses, one a line").inputValue()).toBe("https://m.news.example");
  expect(await siteById(fixture.app.db, ids.siteId)).toMatchObject({
    utm: { source: "bell", medium: null, campaign: null },
    origins: ["https://m.news.example"],
    dormantMonths: null,
    iconUrl: null,
  });
  expect(fixture.faults).toEqual([]);
});
