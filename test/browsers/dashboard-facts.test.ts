import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
  await fixture.addReaders(ids.siteId, 9);
  await changeSubscribers(fixture.app, { siteId: ids.siteId, newest: 4 }, { language: "de" });
});

const formOn = (on: Page) => on.getByRole("region", { name: "Facts about readers", exact: true });

test("an owner declares a fact, and sees faults by their field", async () => {
  await page.goto(`/sites/${ids.siteId}/settings/readers`);
  const form = formOn(page);
  await form.getByRole("button", { name: "Add a fact" }).click();
  const fact = form.getByRole("group", { name: "Fact 1" });
  await fact.getByLabel("Name").fill("user_id");
  await fact.getByLabel("What readers see").fill("Your plan");
  await fact.getByLabel("Values").fill("free, paid");
  await form.getByRole("button", { name: "Save: Facts about readers" }).click();
  await fact.getByText("This must not say who a reader is.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await fact.getByLabel("Name").fill("plan");
  await form.getByRole("button", { name: "Save: Facts about readers" }).click();
  await page.getByText("Saved.").first().waitFor();
  await page.reload();
  await formOn(page).getByRole("group", { name: "Fact 1" }).waitFor();
  expect(await formOn(page).getByLabel("Values").inputValue()).toBe("free, paid");
});

test("an editor sees the facts, and changes nothing", async () => {
  const editor = await visitAs(fixture, ids.tenantId, "editor");
  await editor.goto(`/sites/${ids.siteId}/settings/readers`);
  const name = formOn(editor).getByLabel("Name");
  expect(await name.inputValue()).toBe("plan");
  expect(await name.isDisabled()).toBe(true);
  expect(await formOn(editor).getByRole("button", { name: "Add a fact" }).count()).toBe(0);
  const cookie = (await editor.context().cookies()).map((one) => `${one.name}=${one.value}`).join("; ");
  const { status } = await api.call("PATCH", `/dashboard/api/tenants/${ids.tenantId}/sites/${ids.siteId}`, {
    headers: { cookie, origin: fixture.url },
    body: { facts: [] },
  });
  expect(status).toBe(403);
});

test("a segment asks for a language and a fact of the site", async () => {
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  const region = page.getByRole("region", { name: "Segments" });
  await region.getByRole("button", { name: "New segment" }).click();
  const form = page.getByTestId("segment-form");
  await form.getByLabel("Name").fill("German, free");
  await form.getByRole("combobox", { name: "Language of the browser, any of them" }).fill("German");
  await page.getByRole("option", { name: "German", exact: true }).click();
  await form.getByText("4 people now").waitFor();
  await form.getByLabel("Name").click();
  await form.getByText("free", { exact: true }).click();
  await form.getByText("0 people now").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByRole("button", { name: "Save segment" }).click();
  await region.getByText("language German · plan: free").waitFor();
  expect(fixture.faults).toEqual([]);
});
