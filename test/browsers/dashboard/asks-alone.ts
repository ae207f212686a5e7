import type { Page } from "playwright-core";

/** Makes a page read each answer in a request of its own, so that a test can change or delay a single one. */
export async function asksAlone(page: Page): Promise<void> {
  await page.route("**/reads?*", (route) => route.abort());
}
