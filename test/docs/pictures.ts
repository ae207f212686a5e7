import type { Page } from "playwright-core";

/**
 * A picture of the dashboard of the demo. `path` is the path of its page, relative to the site's. `prepare` acts on the
 * page first, and gets the address of a story that was not sent. `shows` matches a text that the page has when it is
 * complete.
 */
export type Picture = {
  name: string;
  path: string;
  shows: RegExp;
  viewport?: { width: number; height: number };
  prepare?(page: Page, story: string): Promise<void>;
};

/** The pictures of the documentation, in docs/images/. `npm run docs:pictures` takes them. */
export const pictures: Picture[] = [
  // This picture comes first, because the feed sends the story within a minute.
  {
    name: "compose",
    path: "/compose",
    shows: /Worth sending/,
    prepare: (page, story) => page.getByLabel("Address of the story").fill(story),
  },
  { name: "overview", path: "", shows: /Readers in all/ },
  { name: "phone", path: "", shows: /Readers in all/, viewport: { width: 390, height: 844 } },
  { name: "campaigns", path: "/campaigns", shows: /Shipyard hires/ },
  { name: "calendar", path: "/calendar", shows: /Shipyard hires/ },
  { name: "subscribers", path: "/subscribers", shows: /Here this week/ },
  {
    name: "campaign",
    path: "/campaigns",
    shows: /One headline was clearly clicked more/,
    prepare(page) {
      const sent = page.getByRole("row").filter({ hasText: /Bus fares stay as they are.*clicked/ });
      return sent.first().getByRole("link").click();
    },
  },
  {
    name: "feed",
    path: "/feeds",
    shows: /Rowers win gold/,
    prepare: (page) => page.getByRole("link", { name: "The Demo Courier" }).click(),
  },
];
