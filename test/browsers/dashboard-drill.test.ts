import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { drillOf, drillRuns, letPass } from "../campaigns/drill-fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
  await fixture.addReaders(ids.siteId, 1, "Phone in the server room");
});

const formOn = (on: Page) => on.getByRole("region", { name: "Fire drill", exact: true });
const read = () => drillOf(fixture.app, { actor: operatorOf(ids.tenantId), siteId: ids.siteId });

/** Reports, as the service worker of the canary does, that it displays the notification of the drill. */
async function display(): Promise<void> {
  await eventually(async () => typeof (await read()).last?.seconds.accepted === "number", 30_000);
  const [run] = await drillRuns(fixture.app, ids);
  const { token } = createMessageSigner(fixture.app.secrets.tokenKey, run!.runId, 1)(0);
  const answer = await fetch(`${fixture.url}/sdk/events`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ events: [{ token, kind: "displayed" }] }),
  });
  expect(answer.status).toBe(204);
}

test("an owner chooses a canary, and sees the first drill pass step by step", async () => {
  await page.goto(`/sites/${ids.siteId}/settings/drill`);
  const form = formOn(page);
  await form.getByLabel("Canary").selectOption("Phone in the server room");
  await form.getByLabel("Minutes from one to the next").fill("5");
  await form.getByRole("button", { name: "Save: Fire drill" }).click();
  await form.getByText("This must be a whole number from 15 to 1,440.").waitFor();
  await form.getByLabel("Minutes from one to the next").fill("30");
  await form.getByRole("button", { name: "Save: Fire drill" }).click();
  await form.getByText(": running").waitFor();
  await display();
  await form.getByText(": passed").waitFor();
  await form.getByText(/^Displayed on the canary: after [\d.]+ s$/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a drill that fails shows on the form and the overview what to do", async () => {
  await formOn(page).getByRole("button", { name: "Begin one now" }).click();
  // Until then, the page shows the drill that passed as the last one.
  await formOn(page).getByText(": running").waitFor();
  await eventually(async () => typeof (await read()).last?.seconds.accepted === "number", 30_000);
  await letPass(fixture.app, ids, "301 seconds");
  await formOn(page).getByText(": failed").waitFor();
  await formOn(page).getByText("Displayed on the canary: not reached").waitFor();
  await page.goto(`/sites/${ids.siteId}`);
  await page
    .locator('[data-alert="drill_failed"]')
    .getByText(/the canary has not reported/)
    .waitFor();
});

test("an editor sees the drill, and changes nothing", async () => {
  const editor = await visitAs(fixture, ids.tenantId, "editor");
  await editor.goto(`/sites/${ids.siteId}/settings/drill`);
  const form = formOn(editor);
  await form.getByText("Only owners change it.").waitFor();
  expect(await form.getByLabel("Canary").isDisabled()).toBe(true);
  for (const name of ["Save: Fire drill", "Begin one now"])
    expect(await form.getByRole("button", { name }).count()).toBe(0);
  expect(fixture.faults).toEqual([]);
});
