import type { Page } from "playwright-core";
import type { App } from "../../../src/app.ts";
import { changePlannedSends } from "../../fixtures/rows/campaigns.ts";
import { present } from "../../fixtures/rows/change.ts";

/**
 * Opens the compose page, enters the address of a story and waits for the decision. On a busy machine the story's
 * server may answer too late. Then the page reads the story again.
 */
export async function composeStory(page: Page, siteId: string, story: string, search = ""): Promise<void> {
  await page.goto(`/sites/${siteId}/compose${search}`);
  await page.getByLabel("Address of the story").fill(story);
  const decision = page.locator("[data-decision][aria-busy=false]");
  await decision.waitFor();
  while (await decision.getByText(/could not be (reached|read)|took too long/).isVisible()) {
    await page.getByRole("button", { name: "Read the page again" }).click();
    await decision.waitFor();
  }
}

/** Sends, and confirms in the dialog. The dialog's button names the number of people. */
export async function confirmSend(page: Page, people: string): Promise<void> {
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByRole("button", { name: `Send to ${people}` }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
}

/** Opens the dialog and reads to whom the notification goes. Closes it, sends, and waits until the run is completed. */
export async function sendTo(page: Page, fixture: { app: App }, people: string, sentence: string): Promise<void> {
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByTestId("send-dialog").getByText(sentence).waitFor();
  await page.getByRole("button", { name: "Not yet" }).click();
  await confirmSend(page, people);
  await waitForUndo(page, fixture);
  await waitForRun(page, "completed");
}

/**
 * Waits until this page can undo its send. Then, by the service's clock, ends the time in which the sends of all pages
 * can be undone.
 */
export async function waitForUndo(page: Page, { app }: { app: App }): Promise<void> {
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
  await changePlannedSends(app, { status: "waiting" }, { startsAt: present });
}

/** Waits until the run on a campaign's page has this status. */
export async function waitForRun(page: Page, status: string): Promise<void> {
  await page.locator(`[data-status="${status}"]`).waitFor();
}
