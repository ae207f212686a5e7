import type { Page } from "playwright-core";

/**
 * A picture of the dashboard of the demo. `path`: of its page, below the site's. `prepare`: what is done on the page
 * first; `story` is the address of a story that was not sent.
 */
export type Picture = {
  name: string;
  path: string;
  viewport?: { width: number; height: number };
  prepare?(page: Page, story: string): Promise<void>;
};

async function paste(page: Page, story: string): Promise<void> {
  await page.getByLabel("Address of the story").fill(story);
  await page.getByText(/Worth sending|Not worth sending/).waitFor();
}

/** The pictures of the documentation, in docs/images/. `npm run docs:pictures` takes them. */
export const pictures: Picture[] = [
  { name: "overview", path: "" },
  { name: "phone", path: "", viewport: { width: 390, height: 844 } },
  { name: "compose", path: "/compose", prepare: paste },
  { name: "campaigns", path: "/campaigns" },
  { name: "calendar", path: "/calendar" },
  {
    name: "feed",
    path: "/feeds",
    async prepare(page) {
      await page.getByRole("link", { name: "The Demo Courier" }).click();
      await page.waitForLoadState("networkidle");
    },
  },
  { name: "subscribers", path: "/subscribers" },
  {
    name: "campaign",
    path: "/campaigns",
    async prepare(page) {
      const sent = page.getByRole("row").filter({ hasText: /Bus fares stay as they are.*clicked/ });
      await sent.first().getByRole("link").click();
      await page.waitForLoadState("networkidle");
    },
  },
];
