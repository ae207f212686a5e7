import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, signInToOverview } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);

const cookieOf = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

test("an invited member joins with the role of the invitation, and sees what it allows", async () => {
  const ownerPage = await fixture.visit();
  const { siteId } = await setUp(ownerPage, fixture.app);
  await ownerPage.goto(`/sites/${siteId}/members`);
  await ownerPage.getByLabel("E-mail address").fill("reader@example.org");
  await ownerPage.getByLabel("As").selectOption("viewer");
  await ownerPage.getByRole("button", { name: "Make the link" }).click();
  const link = (await ownerPage.getByRole("region", { name: "invitation link" }).innerText()).trim();

  const page = await fixture.visit();
  await page.goto(link.slice(new URL(link).origin.length));
  await page.getByRole("heading", { name: "Join Example News" }).waitFor();
  await page.getByLabel("Choose a password").fill("a viewer's password");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await page.getByTestId("compose").count()).toBe(0);
  await page.goto(`/sites/${siteId}/compose`);
  await page.getByText("You can look, not send").waitFor();
  await page.goto(`/sites/${siteId}/integrations`);
  await page.getByText("Install on your site").first().waitFor();
  expect(await page.getByText("REST API keys").count()).toBe(0);

  const again = await fixture.visit();
  await again.goto(link.slice(new URL(link).origin.length));
  await again.getByText("This invitation is taken, withdrawn or over 7 days old.").waitFor();

  await ownerPage.reload();
  await ownerPage.getByLabel("Role of reader@example.org").selectOption("editor");
  await eventually(async () => {
    const { body } = await api.call("GET", "/dashboard/api/start", { headers: { cookie: await cookieOf(page) } });
    return body.tenants[0]?.role === "editor";
  });
  await page.goto(`/sites/${siteId}/compose`);
  await page.getByLabel("Address of the story").waitFor();

  await ownerPage.getByRole("button", { name: "Remove reader@example.org" }).click();
  await ownerPage.getByRole("button", { name: "Remove", exact: true }).click();
  await ownerPage.getByRole("button", { name: "Remove reader@example.org" }).waitFor({ state: "detached" });
  // The last removal has ended the person's sessions, so the open page goes to the sign-in by itself.
  await page.getByLabel("E-mail address").fill("reader@example.org");
  await page.getByLabel("Password", { exact: true }).fill("a viewer's password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Go to your sites" }).click();
  await page.getByText("You are not a member of a publisher").waitFor();
  expect(fixture.faults).toEqual([]);
});

test("the only owner cannot get another role, and sees why", async () => {
  const page = await fixture.visit();
  await signInToOverview(page, { email: "owner@example.org", password: "correct horse battery" });
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByLabel("Role of owner@example.org").selectOption("viewer");
  await page.getByText("There has to be an owner. Make somebody else an owner first.").waitFor();
});

test("a key is shown once, works, and is refused once it is deleted", async () => {
  const page = await fixture.visit();
  await signInToOverview(page, { email: "owner@example.org", password: "correct horse battery" });
  await page.getByRole("link", { name: "Integrations" }).click();
  await page.getByLabel("Name of a new key").fill("Our CMS");
  await page.getByRole("button", { name: "Make a key" }).click();
  const secret = (await page.getByRole("region", { name: "API key", exact: true }).innerText()).trim();
  const tenantId = /data-tenant="([^"]+)"/.exec(
    await page.getByRole("region", { name: "line for every page" }).innerText(),
  )![1]!;
  const ask = () =>
    fetch(`${fixture.url}/v1/tenants/${tenantId}/sites`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await ask()).status).toBe(200);
  await page.reload();
  await page.getByRole("button", { name: "Delete the key Our CMS" }).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
  await page.getByRole("button", { name: "Delete the key Our CMS" }).click();
  await page.getByRole("button", { name: "Delete the key", exact: true }).click();
  await page.getByRole("button", { name: "Delete the key Our CMS" }).waitFor({ state: "detached" });
  expect((await ask()).status).toBe(401);
});
