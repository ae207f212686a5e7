import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { readWinBackFigures } from "../../src/automations/win-back/change-win-back.ts";
import { look, winBackWith } from "../campaigns/win-back-fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
  await fixture.addReaders(ids.siteId, 3);
  await changeSubscribers(fixture.app, { siteId: ids.siteId }, { createdAt: ago("90 days") });
});

const formOn = (on: Page) => on.getByRole("region", { name: "Win-back", exact: true });

test("an owner writes the win-back, sees how many stay away, and faults by their field", async () => {
  await page.goto(`/sites/${ids.siteId}/settings/win-back`);
  const form = formOn(page);
  await form.getByLabel("Win back readers who stay away").check();
  await form.getByText("Not seen for so long now: 3 people.").waitFor();
  await form.getByLabel("Days without a visit or click").fill("6");
  await form.getByRole("button", { name: "Save: Win-back" }).click();
  await form.getByText("This must not be empty.").first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByLabel("Days without a visit or click").fill("120");
  await form.getByText("Not seen for so long now: 0 people.").waitFor();
  await form.getByLabel(/^Title/).fill("We have kept your place");
  await form.getByTestId("preview-title").getByText("We have kept your place").waitFor();
  await form.getByLabel(/^Text/).fill("This is what you missed.");
  await form.getByLabel("Readers who do not come back").selectOption("remove");
  await form.getByRole("button", { name: "Save: Win-back" }).click();
  await page.getByText("Saved.").first().waitFor();
  await page.reload();
  expect(await formOn(page).getByLabel("Days without a visit or click").inputValue()).toBe("120");
  expect(await formOn(page).getByLabel("Readers who do not come back").inputValue()).toBe("remove");
});

test("a viewer sees the figures of the win-back, and changes nothing", async () => {
  const { app } = fixture;
  const { tenantId, siteId } = ids;
  await winBackWith(app, { actor: operatorOf(tenantId), siteId }, { afterwards: "remove" });
  await look(app);
  await eventually(async () => (await readWinBackFigures(app, operatorOf(tenantId), { siteId })).accepted === 3);
  const viewer = await visitAs(fixture, tenantId, "viewer");
  await viewer.goto(`/sites/${siteId}/settings/win-back`);
  const row = formOn(viewer).getByRole("row", { name: /^Win-back/ });
  await row.getByRole("cell", { name: "3", exact: true }).waitFor();
  expect(
    await formOn(viewer)
      .getByLabel(/^Title/)
      .isDisabled(),
  ).toBe(true);
  expect(await formOn(viewer).getByRole("button", { name: "Save: Win-back" }).count()).toBe(0);
  expect(fixture.faults).toEqual([]);
});
