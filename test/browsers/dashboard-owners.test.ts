import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, waitForRun, waitForUndo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
const editor = { email: "editor@example.org", password: "an editor's password" };
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  const page = await fixture.visit();
  site = await setUp(page, fixture.app);
  await fixture.addReaders(site.siteId, 40);
  await page.goto(`/sites/${site.siteId}/members`);
  await page.getByLabel("E-mail address").fill(editor.email);
  await page.getByLabel("As").selectOption("editor");
  await page.getByRole("button", { name: "Make the link" }).click();
  const link = await page.getByRole("region", { name: "invitation link" }).innerText();
  const body = { token: link.trim().split("#")[1], password: editor.password };
  expect((await api.call("POST", "/dashboard/api/invitations/accept", { body })).status).toBe(200);
});

async function openAs(
  member: typeof owner,
  path = "",
  options: Parameters<typeof fixture.visit>[0] = {},
): Promise<Page> {
  const page = await fixture.visit(options);
  await page.clock.install();
  await signIn(page, member);
  await page.goto(`/sites/${site.siteId}${path}`);
  return page;
}

async function setSecondPerson(page: Page, people: string | null): Promise<void> {
  await page.goto(`/sites/${site.siteId}/settings/publisher`);
  const part = page.getByRole("region", { name: "A second person" });
  await part.getByLabel("Large sends need a second person").setChecked(people !== null);
  if (people !== null) await part.getByLabel("Above so many people").fill(people);
  await part.getByRole("button", { name: "Save this" }).click();
  await page.getByText("Saved.").first().waitFor();
}

const newest = async () =>
  (await api.call("GET", `/v1/tenants/${site.tenantId}/campaigns?limit=1`, { key: site.key })).body.data[0];

test("a large send waits until another member approves it, with ten seconds to undo", async () => {
  const ownerPage = await openAs(owner);
  await setSecondPerson(ownerPage, "39");
  const editorPage = await openAs(editor);
  await composeStory(editorPage, site.siteId, fixture.story());
  await editorPage.getByLabel(/^Title/).fill("Large");
  await editorPage.getByRole("button", { name: "Send now…" }).click();
  await editorPage.getByText("A send to more than 39 people waits until another editor").waitFor();
  const faults = await accessibilityFaults(editorPage);
  await editorPage.getByRole("button", { name: "Ask a second person" }).click();
  await editorPage.getByText("It waits for a second person", { exact: true }).waitFor();
  expect(await editorPage.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
  await editorPage.clock.fastForward(15_000);
  expect((await newest()).status).toBe("draft");

  await ownerPage.goto(`/sites/${site.siteId}`);
  await ownerPage.getByRole("region", { name: "Waits for a second person" }).getByText("Large").waitFor();
  faults.push(...(await accessibilityFaults(ownerPage)));
  await ownerPage.getByRole("link", { name: "Large" }).click();
  const approve = ownerPage.getByRole("button", { name: "Approve and send" });
  await approve.waitFor();
  // Buttons for another way to send would compete with the request for approval.
  for (const page of [ownerPage, editorPage])
    for (const name of ["Send now…", "Schedule…"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
  await approve.click();
  await ownerPage.getByRole("button", { name: "Undo" }).click();
  await ownerPage.clock.fastForward(15_000);
  expect((await newest()).status).toBe("draft");
  await approve.waitFor();
  faults.push(...(await accessibilityFaults(ownerPage)));
  await approve.click();
  await waitForUndo(ownerPage, fixture);
  await waitForRun(ownerPage, "completed");
  expect(faults).toEqual([]);
});

test("a request refused in one tab disappears in another, and nothing is sent", async () => {
  const editorPage = await openAs(editor);
  await composeStory(editorPage, site.siteId, fixture.story());
  await editorPage.getByLabel(/^Title/).fill("Refused");
  await editorPage.getByRole("button", { name: "Schedule…" }).click();
  const year = new Date().getFullYear() + 1;
  await editorPage.getByLabel("Day and time in Europe/Berlin").fill(`${year}-01-15T08:30`);
  await editorPage.getByRole("button", { name: "Ask a second person" }).click();
  await editorPage.getByText("It waits for a second person", { exact: true }).waitFor();
  const { campaignId } = await newest();
  const first = await openAs(owner, `/campaigns/${campaignId}`);
  const second = await first.context().newPage();
  await second.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
  for (const page of [first, second]) await page.getByRole("button", { name: "Approve the time" }).waitFor();
  await first.getByRole("button", { name: "Refuse" }).click();
  await first.getByRole("button", { name: "Refuse" }).waitFor({ state: "detached" });
  await second.getByRole("button", { name: "Approve the time" }).waitFor({ state: "detached" });
  expect(await newest()).toMatchObject({ campaignId, status: "draft" });
  await setSecondPerson(first, null);
});

test("what a CMS adds to a notification is shown before the send, and on its page", async () => {
  const actions = [{ title: "Live", url: "https://ticker.example/live" }];
  const extras = { actions, silent: true, requireInteraction: true };
  const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/x", title: "Polls", body: "Open." };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, {
    key: site.key,
    body: { ...body, ...extras },
  });
  const page = await openAs(editor, `/campaigns/${made.body.campaignId}`);
  await page.getByText("Button “Live” opens https://ticker.example/live").waitFor();
  await page.getByText("No sound, no vibration · Stays on the screen until the reader acts").waitFor();
  await page.getByRole("button", { name: "Send now…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("link", { name: "https://ticker.example/live" }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a sent notification can be corrected for the same people, or duplicated with its text", async () => {
  const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/a", title: "Wrong", body: "Text." };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  await api.call("POST", `/v1/campaigns/${made.body.campaignId}/send`, { key: site.key });
  const editorPage = await openAs(editor, `/campaigns/${made.body.campaignId}`);
  await waitForRun(editorPage, "completed");
  await fixture.addReaders(site.siteId, 2);
  await editorPage.reload();
  await editorPage.getByRole("link", { name: "Send a correction…" }).click();
  await editorPage.getByText("This is a correction").waitFor();
  await editorPage.getByText("If that send was stopped, it also goes to readers who were still waiting.").waitFor();
  expect(await accessibilityFaults(editorPage)).toEqual([]);
  await editorPage.getByLabel(/^Title/).fill("Right");
  await editorPage.getByRole("button", { name: "Send now…" }).click();
  await editorPage.getByRole("button", { name: "Send to 40 people" }).click();
  await waitForUndo(editorPage, fixture);
  await waitForRun(editorPage, "completed");
  expect(await newest()).toMatchObject({ title: "Right", corrects: made.body.campaignId, status: "sent" });
  await editorPage.getByRole("link", { name: "an earlier notification" }).click();
  await editorPage.getByRole("heading", { level: 1, name: "Wrong" }).waitFor();

  await editorPage.getByRole("link", { name: "Duplicate" }).click();
  await editorPage.getByLabel(/^Title/).fill("Another one");
  await editorPage.getByRole("button", { name: "Save draft" }).click();
  await editorPage.getByText("Draft saved").waitFor();
  expect(await newest()).toMatchObject({ title: "Another one", corrects: null, status: "draft", body: "Text." });
  await editorPage.goto(`/sites/${site.siteId}/campaigns/${(await newest()).campaignId}`);
  await editorPage.getByRole("link", { name: "Edit" }).click();
  await editorPage.getByLabel(/^Title/).fill("Another one, edited");
  await editorPage.getByRole("button", { name: "Save draft" }).click();
  await editorPage.getByText("Draft saved").waitFor();
  expect(await newest()).toMatchObject({ title: "Another one, edited", status: "draft" });
});

test("the audit log shows actions by kind, to owners only", async () => {
  const ownerPage = await openAs(owner, "/settings/publisher");
  await ownerPage.getByRole("link", { name: "Open it" }).click();
  await ownerPage.locator('[data-event="send.refused"]').getByText("Refused a send: Refused").waitFor();
  await ownerPage.locator('[data-event="send.requested"] td').nth(1).getByText(editor.email).waitFor();
  await ownerPage.getByLabel("What happened").selectOption("members");
  await ownerPage.locator('[data-event="send.refused"]').waitFor({ state: "detached" });
  await ownerPage.locator('[data-event="member.joined"]').getByText(`Joined: ${editor.email}`).waitFor();
  await ownerPage.getByLabel("What happened").selectOption("feeds");
  await ownerPage.getByText("Nothing fits").waitFor();
  const editorPage = await openAs(editor, "/settings/audit-log");
  await editorPage.getByText("Only owners see this").waitFor();
});

test("the audit log is filtered by person and by days, in its address", async () => {
  const page = await openAs(owner, "/settings/audit-log", { viewport: { width: 1440, height: 900 } });
  const events = page.locator("[data-event]");
  await events.first().waitFor();
  const who = () => page.locator("[data-event] td:nth-child(2)").allInnerTexts();
  await page.getByLabel("Who").selectOption(editor.email);
  await expect.poll(async () => [...new Set(await who())]).toEqual([editor.email]);
  await page.reload();
  await events.first().waitFor();
  expect([...new Set(await who())]).toEqual([editor.email]);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Until").fill("2020-01-01");
  await page.getByText("Nothing of this happened.", { exact: false }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("site and publisher can be renamed, and an empty name shows an error", async () => {
  const ownerPage = await openAs(owner, "/settings");
  const itself = ownerPage.getByRole("region", { name: "The site itself" });
  await itself.getByLabel("Name of the site").fill(" ");
  await itself.getByRole("button", { name: "Save" }).click();
  await itself.getByText("must").first().waitFor();
  await itself.getByLabel("Name of the site").fill("The Other Example");
  await itself.getByRole("button", { name: "Save" }).click();
  await ownerPage.getByText("Saved.").first().waitFor();
  await ownerPage.getByRole("navigation", { name: "Section" }).getByRole("link", { name: "Publisher" }).click();
  await ownerPage.getByLabel("Name of the publisher").fill("Example Press");
  await ownerPage.getByRole("button", { name: "Rename" }).click();
  await ownerPage.getByText("All sends of Example Press").waitFor();
  await ownerPage.reload();
  await ownerPage.getByText("The Other Example").filter({ visible: true }).first().waitFor();
  await ownerPage.getByText(/accepted .* by owner@example\.org/).waitFor();
  await ownerPage.getByText(/Plan\s*unlimited/).waitFor();
});

test("a member who forgot the password gets a link from an owner, and signs in with it", async () => {
  const page = await fixture.visit();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByText("Ask an owner of your publication").waitFor();
  const faults = await accessibilityFaults(page);
  const ownerPage = await openAs(owner, "/members");
  await ownerPage.getByRole("button", { name: `Password of ${editor.email}` }).click();
  await ownerPage.getByRole("button", { name: "Make the link" }).last().click();
  const region = ownerPage.getByRole("region", { name: "password link" });
  const link = (await region.innerText()).trim();
  faults.push(...(await accessibilityFaults(ownerPage)));
  await page.goto(link.slice(new URL(link).origin.length));
  await page.getByLabel("New password").fill("a newer password");
  faults.push(...(await accessibilityFaults(page)));
  await page.getByRole("button", { name: "Set it and sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const again = await fixture.visit();
  await again.goto(link.slice(new URL(link).origin.length));
  await again.getByText("This link was used already").waitFor();
  faults.push(...(await accessibilityFaults(again)));
  expect(faults).toEqual([]);
  editor.password = "a newer password";
});

test("a member gives a name, and the others see it beside the address", async () => {
  const page = await openAs(editor);
  await page.goto("/account");
  const form = page.getByRole("region", { name: "Your name" });
  await form.getByLabel("Name").fill("Jo of the night desk");
  await form.getByRole("button", { name: "Save the name" }).click();
  await page.getByText("Your name is changed.").waitFor();
  const faults = await accessibilityFaults(page);
  const label = `Jo of the night desk (${editor.email})`;
  const ownerPage = await openAs(owner, "/members", { viewport: { width: 390, height: 844 } });
  await ownerPage.getByText(label).waitFor();
  faults.push(...(await accessibilityFaults(ownerPage)));
  expect(await ownerPage.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  await ownerPage.goto(`/sites/${site.siteId}/settings/audit-log`);
  await ownerPage.getByLabel("Who").selectOption({ label });
  await ownerPage.locator("[data-event]").getByText(label).filter({ visible: true }).first().waitFor();
  faults.push(...(await accessibilityFaults(ownerPage)));
  expect(faults).toEqual([]);
});

test.each(["light", "dark"] as const)(
  "in %s colours axe finds no violations on an owner's pages",
  async (colorScheme) => {
    const page = await openAs(owner, "/settings/audit-log", { colorScheme });
    await page.locator("[data-event]").first().waitFor();
    const faults = await accessibilityFaults(page);
    await page.goto(`/sites/${site.siteId}/settings/publisher`);
    await page.getByLabel("Large sends need a second person").check();
    faults.push(...(await accessibilityFaults(page)));
    await page.goto(`/sites/${site.siteId}/members`);
    await page.getByText("(you)").waitFor();
    faults.push(...(await accessibilityFaults(page)));
    expect(faults).toEqual([]);
  },
);

test("on a phone none of an owner's pages is wider than the screen", async () => {
  const page = await openAs(owner, "/settings/audit-log", { viewport: { width: 360, height: 740 } });
  await page.locator("[data-event]").first().waitFor();
  const pages = { "/settings/audit-log": "Audit log", "/settings/publisher": "A second person", "/members": "(you)" };
  for (const [path, ready] of Object.entries(pages)) {
    await page.goto(`/sites/${site.siteId}${path}`);
    await page.getByText(ready).first().waitFor();
    expect(await page.evaluate<number>("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(360);
  }
  await setSecondPerson(page, "1");
  const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/a", title: "Long", body: "Text." };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  await page.goto(`/sites/${site.siteId}/campaigns/${made.body.campaignId}`);
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByRole("button", { name: "Ask a second person" }).click();
  const editorPage = await openAs(editor, `/campaigns/${made.body.campaignId}`, {
    viewport: { width: 360, height: 740 },
  });
  const approve = await editorPage.getByRole("button", { name: "Approve and send" }).boundingBox();
  // The frame would cut off a button that is too wide.
  expect(approve!.x + approve!.width).toBeLessThanOrEqual(360 - 16);
  expect(fixture.faults).toEqual([]);
});
