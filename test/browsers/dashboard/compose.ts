import type { Page } from "playwright-core";

/** Opens compose, gives it a story and waits for what is thought of it. */
export async function composeStory(page: Page, siteId: string, story: string): Promise<void> {
  await page.goto(`/sites/${siteId}/compose`);
  await page.getByLabel("Address of the story").fill(story);
  await page.locator("[data-decision]").waitFor();
}

/** Asks for the send, and answers the question with its button, which names the number of people. */
export async function confirmSend(page: Page, people: string): Promise<void> {
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByRole("button", { name: `Send to ${people}` }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
}

/** Lets the ten seconds pass, for a page whose clock was installed. */
export async function letUndoPass(page: Page): Promise<void> {
  await page.clock.fastForward(10_500);
}

/** The run on a campaign's page stands at this status. */
export async function runIs(page: Page, status: string): Promise<void> {
  await page.locator(`[data-status="${status}"]`).waitFor({ timeout: 45_000 });
}
