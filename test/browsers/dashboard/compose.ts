import type { Page } from "playwright-core";

/** Opens the compose page, enters the address of a story and waits for the decision. */
export async function composeStory(page: Page, siteId: string, story: string, search = ""): Promise<void> {
  await page.goto(`/sites/${siteId}/compose${search}`);
  await page.getByLabel("Address of the story").fill(story);
  await page.locator("[data-decision]").waitFor();
}

/** Sends, and confirms in the dialog, whose button names the number of people. */
export async function confirmSend(page: Page, people: string): Promise<void> {
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByRole("button", { name: `Send to ${people}` }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
}

/** Fast-forwards past the ten seconds in which a send can be undone. The page's clock must be installed. */
export async function waitForUndo(page: Page): Promise<void> {
  await page.clock.fastForward(10_500);
}

/** Waits until the run on a campaign's page has this status. */
export async function waitForRun(page: Page, status: string): Promise<void> {
  await page.locator(`[data-status="${status}"]`).waitFor({ timeout: 45_000 });
}
