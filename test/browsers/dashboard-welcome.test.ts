import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { readWelcomeFigures } from "../../src/automations/welcome/change-welcome.ts";
import { siteById } from "../../src/tenants/sites/queries.ts";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeWelcomes } from "../fixtures/rows/subscribers.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
});

const welcomeOn = (on: Page) => on.getByRole("region", { name: "Welcome", exact: true });
const stepOf = (on: Page, n: number) => welcomeOn(on).getByRole("group", { name: `Notification ${n}`, exact: true });

test("an owner writes a welcome of two steps, sees a preview, and faults by their field", async () => {
  await page.goto(`/sites/${ids.siteId}/settings/welcome`);
  await welcomeOn(page).getByLabel("Welcome new readers").check();
  await stepOf(page, 1)
    .getByLabel(/^Title/)
    .fill("Good to have you");
  await welcomeOn(page).getByTestId("preview-title").getByText("Good to have you").waitFor();
  await stepOf(page, 1).getByLabel(/^Text/).fill("We write when it matters.");
  await welcomeOn(page).getByRole("button", { name: "Add a notification" }).click();
  await stepOf(page, 2)
    .getByLabel(/^Title/)
    .fill("Choose your topics");
  await welcomeOn(page).getByTestId("preview-title").getByText("Choose your topics").waitFor();
  await stepOf(page, 2).getByLabel("Days after subscribing").fill("0");
  await welcomeOn(page).getByRole("button", { name: "Save: Welcome" }).click();
  await stepOf(page, 2).getByText("This must not be empty.").waitFor();
  await stepOf(page, 2).getByText("This must be on a later day than the notification before.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await stepOf(page, 2).getByLabel("Days after subscribing").fill("3");
  await stepOf(page, 2).getByLabel(/^Text/).fill("Then you get only those.");
  await welcomeOn(page).getByRole("button", { name: "Save: Welcome" }).click();
  await page.getByText("Saved.").first().waitFor();
  await page.reload();
  expect(await stepOf(page, 2).getByLabel("Days after subscribing").inputValue()).toBe("3");
  expect(await stepOf(page, 1).getByLabel("Address", { exact: true }).inputValue()).toBe("https://news.example");
});

test("a new reader is counted at the first step; a viewer sees the figures, changes nothing", async () => {
  const site = (await siteById(fixture.app.db, ids.siteId))!;
  const applicationServerKey = site.vapidPublicKey.toString("base64url");
  const [subscription] = fixture.pushService.createSubscriptions(1, { applicationServerKey });
  const reader = createReaderClient(createApi(fixture.url), ids.siteId);
  expect((await reader.subscribe(subscription!)).status).toBe(201);
  await changeWelcomes(fixture.app, {}, { dueAt: present });
  await eventually(async () => {
    const figures = await readWelcomeFigures(fixture.app, operatorOf(ids.tenantId), { siteId: ids.siteId });
    return figures.steps[0]?.accepted === 1;
  });
  const viewer = await visitAs(fixture, ids.tenantId, "viewer");
  await viewer.goto(`/sites/${ids.siteId}/settings/welcome`);
  const row = welcomeOn(viewer).getByRole("row", { name: /^Notification 1/ });
  await row.getByRole("cell", { name: "1", exact: true }).waitFor();
  expect(await welcomeOn(viewer).getByRole("button", { name: "Save: Welcome" }).count()).toBe(0);
  expect(
    await stepOf(viewer, 1)
      .getByLabel(/^Title/)
      .isDisabled(),
  ).toBe(true);
  expect(fixture.faults).toEqual([]);
});
