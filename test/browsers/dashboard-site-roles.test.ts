import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createSite, removeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { createApi } from "../fixtures/app.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { confirmSend } from "./dashboard/compose.ts";
import { createGroup } from "./dashboard/create-group.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
const password = "a password of a newsroom";
let site: Awaited<ReturnType<typeof setUp>>;
let otherId: string;

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
  const actor = operatorOf(site.tenantId);
  const other = { name: "Evening Post", url: "https://evening.example" };
  ({ siteId: otherId } = await createSite(fixture.app, actor, fixture.app.db, other));
  await changeTenant(fixture.app, actor, { confirmAbove: 5 });
  for (const siteId of [site.siteId, otherId]) await fixture.addReaders(siteId, 3);
});

/** Invites somebody, as the owner, with a role on the Evening Post. Returns the path of the link. */
async function inviteToEveningPost(page: Page, email: string): Promise<string> {
  await signIn(page, owner);
  await page.goto(`/sites/${site.siteId}/members`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("As", { exact: true }).selectOption("sites");
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.getByText("Choose a role on at least one site.").waitFor();
  await page.getByLabel("Role on Evening Post").selectOption("editor");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Make the link" }).click();
  const link = (await page.getByRole("region", { name: "invitation link" }).innerText()).trim();
  return link.slice(new URL(link).origin.length);
}

test("somebody invited to one site sees and edits that site only, as far as the owner lets them", async () => {
  const ownerPage = await fixture.visit();
  const page = await fixture.visit();
  await page.goto(await inviteToEveningPost(ownerPage, "title@example.org"));
  await page.getByText("On Evening Post you will be an editor").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Choose a password").fill(password);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(page.url()).toContain(otherId);
  expect(await page.getByText("The Example", { exact: true }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Members" }).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`/sites/${otherId}/settings/publisher`);
  await page.getByText("There is no such page").waitFor();
  await page.goto(`/sites/${site.siteId}/campaigns`);
  await page.getByText("There is no such site here").waitFor();
  await page.goto(`/sites/${otherId}/members`);
  await page.getByText("Members belong to the publisher").waitFor();
  await page.goto(`/sites/${otherId}/settings/site`);
  const name = page.getByLabel("Name of the site");
  expect(await name.isEnabled()).toBe(true);

  await ownerPage.reload();
  await ownerPage.getByRole("button", { name: "Roles on sites of title@example.org" }).click();
  const dialog = ownerPage.getByRole("dialog");
  await dialog.getByLabel("Role on Evening Post").selectOption("viewer");
  await dialog.getByLabel("Role on The Example").selectOption("editor");
  expect(await accessibilityFaults(ownerPage)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await ownerPage.getByText("The Example: Editor").waitFor();
  // The open page receives the change of the role.
  await page.getByText("You are a viewer").waitFor();
  expect(await name.isEnabled()).toBe(false);
  await page.getByRole("button", { name: /Evening Post/ }).click();
  await page.getByRole("menuitem", { name: "The Example" }).click();
  await page.getByTestId("compose").waitFor();
  expect(fixture.faults).toEqual([]);
});

test("a viewer of everything becomes an editor of one site, in German on a phone", async () => {
  const ownerPage = await fixture.visit({ locale: "de-DE", viewport: { width: 390, height: 844 } });
  await ownerPage.request.post("/dashboard/api/auth/sign-in/email", { data: owner });
  await ownerPage.goto(`/sites/${site.siteId}/members`);
  await ownerPage.getByLabel("Rolle von title@example.org").selectOption("viewer");
  await ownerPage.getByText("The Example: Redakteur:in").waitFor();
  await ownerPage.getByRole("button", { name: "Rollen auf Websites von title@example.org" }).click();
  const dialog = ownerPage.getByRole("dialog");
  await dialog.getByLabel("Rolle auf The Example").selectOption("Gast");
  await dialog.getByLabel("Rolle auf Evening Post").selectOption("Redakteur:in");
  expect(await accessibilityFaults(ownerPage)).toEqual([]);
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await ownerPage.getByText("Evening Post: Redakteur:in").waitFor();
  expect(await ownerPage.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

/** Creates a notification to both sites. Returns its group, and its campaign at the Evening Post. */
async function createGroupOfBoth(): Promise<{ groupId: string; campaignId: string }> {
  const { groupId, campaignAt } = await createGroup(api, site, [site.siteId, otherId]);
  return { groupId, campaignId: campaignAt(otherId) };
}

/** Sends the draft of the page to the readers of the Evening Post, and takes it back. */
async function sendAndUndo(page: Page): Promise<void> {
  await confirmSend(page, "3 people");
  const bar = page.getByTestId("undo-window");
  await bar.getByRole("button", { name: "Undo" }).click();
  await bar.getByText("Undone. No reader got it.").waitFor();
}

test("an editor of one site edits its campaign of a group, and sees nothing of the other site", async () => {
  const { campaignId } = await createGroupOfBoth();
  const page = await fixture.visit();
  await page.goto(await inviteToEveningPost(await fixture.visit(), "group@example.org"));
  await page.getByLabel("Choose a password").fill(password);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto(`/sites/${otherId}/campaigns/${campaignId}`);
  await page.getByRole("heading", { level: 1, name: "Bridge opens" }).waitFor();
  await page.goto(`/sites/${otherId}/compose?draft=${campaignId}`);
  await page.getByLabel("Title").fill("Bridge is open");
  const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
  await page.getByRole("button", { name: "Save draft" }).click();
  await saved;
  await sendAndUndo(page);
  await page.goto(`/sites/${otherId}/campaigns/${campaignId}`);
  await page.getByRole("heading", { level: 1, name: "Bridge is open" }).waitFor();
  expect(await page.getByTestId("group").count()).toBe(0);
  expect(await page.getByText("The Example", { exact: true }).count()).toBe(0);
});

test("a viewer of everything sends a group’s campaign at the one site where they edit", async () => {
  const { groupId, campaignId } = await createGroupOfBoth();
  const page = await fixture.visit();
  await signIn(page, { email: "title@example.org", password });
  await page.goto(`/sites/${otherId}/compose?draft=${campaignId}`);
  await page.getByLabel("Title").fill("Bridge is open");
  await sendAndUndo(page);
  const group = () => api.call("GET", `/v1/campaign-groups/${groupId}`, { key: site.key });
  const titles = (await group()).body.campaigns.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(["Bridge opens", "Bridge is open"]);
  // A stop of all sites needs a role on all of them.
  const slow = fixture.pushService.answerWith({ behaviour: "answer", delayMs: 20_000 });
  await api.call("POST", `/v1/campaign-groups/${groupId}/send`, { key: site.key });
  await page.goto(`/sites/${otherId}/campaigns/${campaignId}`);
  await page.getByTestId("group").getByText("Sent to 2 sites").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Stop all" }).count()).toBe(0);
  slow();
});

test("a member without a site is told to ask an owner", async () => {
  const page = await fixture.visit();
  await page.goto(await inviteToEveningPost(page, "left@example.org"));
  await page.getByLabel("Choose a password").fill(password);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await removeSite(fixture.app, operatorOf(site.tenantId), { siteId: otherId });
  await page.goto("/");
  await page.getByText("You have no role on any site of Example News").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});
