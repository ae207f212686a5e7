import { sql } from "kysely";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { makePollDue, story as storyOf } from "../feeds/fixture.ts";
import { type FeedItem, rss } from "../fixtures/feed-server.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const { feeds } = fixture;
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

const story = (name: string, more: FeedItem = {}) => storyOf({ server: feeds }, name, more);

/**
 * Publishes these items in the feed, each with its page, and makes the feed's next poll due. The decision rejects the
 * pages of `unlisted`.
 */
async function publishItems(path: string, items: FeedItem[], unlisted: FeedItem[] = []): Promise<void> {
  for (const { link, title } of items) feeds.publish(new URL(link!).pathname, title);
  for (const { link, title } of unlisted) {
    const html = articleHtml(title!).replace("</head>", '<meta name="robots" content="noindex"></head>');
    feeds.publish(new URL(link!).pathname, title, html);
  }
  feeds.serve(path, rss([...items, ...unlisted]));
  const found = await sql<{ id: string }>`select id from feeds where url = ${feeds.origin + path}`.execute(
    fixture.app.db,
  );
  if (found.rows[0] !== undefined) await makePollDue(fixture.app, found.rows[0].id);
}

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
  await fixture.addReaders(ids.siteId, 3);
  await addTopic(fixture.app, operatorOf(ids.tenantId), { siteId: ids.siteId, name: "Rowing" });
  await changeSites(fixture.app, { id: ids.siteId }, { url: `${feeds.origin}/` });
  await publishItems("/news.xml", [story("yesterday", { categories: ["City"] })]);
  const home =
    '<!doctype html><title>Home</title><link rel="alternate" type="application/rss+xml" title="News" href="/news.xml">';
  feeds.publish("/", "Home", home);
});

test("a feed is found at the site, previewed before it is saved, and its new items are sent", async () => {
  await page.reload();
  await page.getByRole("link", { name: "Feeds" }).click();
  await page.getByText("No feed yet").waitFor();
  await page.getByRole("button", { name: "Add a feed" }).click();
  await page.getByRole("button", { name: "Find the feeds of the site" }).click();
  await page.getByRole("button", { name: `Try ${feeds.origin}/news.xml` }).click();
  await page.locator('[data-tried="rss"]').getByText("The story of yesterday").waitFor();
  await page.getByLabel("Notifications within an hour, at most").fill("5");
  expect(await page.getByLabel("Suggest only: an editor decides").isChecked()).toBe(true);
  await page.getByRole("button", { name: "Add this feed" }).click();
  await page.locator('[data-item="seen"]').getByText("The story of yesterday").waitFor();

  await publishItems("/news.xml", [story("tunnel")]);
  await page.locator('[data-item="suggested"]').getByText("The story of tunnel").first().waitFor();
  await page.getByLabel("Suggest only: an editor decides").click();
  await page.getByText("Suggests", { exact: true }).waitFor({ state: "detached" });

  await publishItems("/news.xml", [story("bridge", { categories: ["City"] })], [story("hidden")]);
  const sent = page.locator('[data-item="sent"]');
  await sent.getByRole("link", { name: "The story of bridge", exact: true }).waitFor();
  await page.locator('[data-item="skipped"] [data-reason="noindex"]').waitFor();
  await page.getByLabel("Which items").selectOption("sent");
  await page.locator('[data-item="skipped"]').waitFor({ state: "detached" });
  await sent.getByRole("link", { name: "Its campaign" }).click();
  await page.getByRole("heading", { level: 1, name: "The story of bridge" }).waitFor();
});

test("an address without a feed shows an error before it is saved, beside its field", async () => {
  await page.goto(`/sites/${ids.siteId}/feeds`);
  await page.getByRole("button", { name: "Add a feed" }).click();
  const address = page.getByLabel("Address of the feed");
  await address.fill("https://10.0.0.1/rss.xml");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("No feed can be read there").waitFor();
  expect(await page.getByRole("button", { name: "Add this feed" }).count()).toBe(0);
  await address.fill(`${feeds.origin}/nothing`);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("answers with HTTP status 404 instead of 200").waitFor();
  await address.fill(`${feeds.origin}/news.xml`);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("button", { name: "Add this feed" }).click();
  await page.getByText("This is a feed of this site already.").waitFor();
});

test("topics by category, the override with its warning, and the switch are saved", async () => {
  await page.goto(`/sites/${ids.siteId}/feeds`);
  await page.getByRole("link", { name: "The Herald" }).click();
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This must not be empty.").waitFor();
  await page.getByLabel("Category of rule 1").fill("City");
  await page.getByLabel("An item in none of these categories").selectOption("everyone");
  await page.getByLabel("A story that comes in quiet hours").selectOption("wait");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();

  await page.getByLabel("Override: send what the decision rejects, too").click();
  await page.getByRole("button", { name: "Turn the override on" }).click();
  await page.locator('[data-alert="override_on"]').waitFor();
  await page.getByLabel("Override: send what the decision rejects, too").click();
  await page.locator('[data-alert="override_on"]').waitFor({ state: "detached" });

  await page.getByRole("combobox", { name: "How often it is read" }).selectOption("60");
  await page.getByLabel("Read it and send what is new").click();
  await page.getByRole("button", { name: "Switch it off" }).click();
  await page.getByText("It is off: it is not read").waitFor();
  await page.reload();
  expect(await page.getByLabel("Category of rule 1").inputValue()).toBe("City");
  expect(await page.getByRole("combobox", { name: "How often it is read" }).inputValue()).toBe("60");
  expect(await page.getByLabel("An item in none of these categories").inputValue()).toBe("everyone");
  expect(await page.getByLabel("A story that comes in quiet hours").inputValue()).toBe("wait");
  await page.getByLabel("Read it and send what is new").click();
  await page.getByText("It is off: it is not read").waitFor({ state: "detached" });
});

test("very many new items lead to a question, and are skipped when the answer is to skip them", async () => {
  await publishItems("/news.xml", [story("bridge"), story("hidden")]);
  await page.getByText("nothing new.").waitFor();
  const flood = Array.from({ length: 51 }, (_, n) => story(`flood-${n}`));
  await publishItems("/news.xml", [story("bridge"), ...flood]);
  await page.getByText("51 new items came at once").waitFor();
  await page.getByRole("button", { name: "Skip them" }).click();
  await page.getByText("51 new items came at once").waitFor({ state: "detached" });
  await page.locator('[data-reason="owner_skipped"]').first().waitFor();
  for (let pages = 1; pages < 3; pages++) {
    await page.getByRole("button", { name: "Show older ones" }).click();
    await page
      .locator("[data-item]")
      .nth(20 * pages)
      .waitFor();
  }
  await page.locator('[data-item="sent"]').waitFor();
});

test("a viewer can read but not change a feed, on the page and at the service", async () => {
  const viewer = await visitAs(fixture, ids.tenantId, "viewer");
  await viewer.goto(`/sites/${ids.siteId}/feeds`);
  await viewer.getByRole("link", { name: "The Herald" }).click();
  await viewer.getByRole("heading", { name: "Items" }).waitFor();
  expect(await viewer.getByLabel("Read it and send what is new").isDisabled()).toBe(true);
  expect(await viewer.getByRole("button", { name: /Add|Save|Remove/ }).count()).toBe(0);
  const feedId = viewer.url().split("/").at(-1);
  const status = await viewer.evaluate<number>(
    `fetch("/dashboard/api/tenants/${ids.tenantId}/feeds/${feedId}", { method: "DELETE" }).then(({ status }) => status)`,
  );
  expect(status).toBe(403);
});

test("an owner allows other websites; an editor changes neither these nor the override", async () => {
  const names = page.getByLabel("Names of websites");
  await names.fill("blog.example, https://shop.example");
  await page.getByRole("button", { name: "Allow these" }).click();
  await page.getByText("These are no names of websites: https://shop.example").waitFor();
  await names.fill("blog.example, shop.example");
  await page.getByRole("button", { name: "Allow these" }).click();
  await page.getByText("Saved.").first().waitFor();
  await changeTenants(fixture.app, {}, { confirmAbove: 2 });

  const editor = await visitAs(fixture, ids.tenantId, "editor");
  await editor.goto(`/sites/${ids.siteId}/feeds`);
  await editor.getByRole("link", { name: "The Herald" }).click();
  await editor.getByText("So only an owner can turn this on").waitFor();
  expect(await editor.getByLabel("Names of websites").inputValue()).toBe("blog.example, shop.example");
  for (const label of ["Names of websites", "Address of the feed", "Override: send what the decision rejects, too"]) {
    expect(await editor.getByLabel(label).isDisabled(), label).toBe(true);
  }
  await editor.getByLabel("Within 24 hours, at most").fill("7");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByText("Saved.").waitFor();
});

test("a feed is removed in a dialog that stays open while a colleague saves rules", async () => {
  await page.getByRole("button", { name: "Remove this feed" }).click();
  await sql`update feeds set daily_limit = 8 where site_id = ${ids.siteId}`.execute(fixture.app.db);
  await expect.poll(() => page.getByLabel("Within 24 hours, at most").inputValue()).toBe("8");
  await page.getByRole("button", { name: "Remove it" }).click();
  await page.getByText("No feed yet").waitFor();
  expect(fixture.faults).toEqual([]);
});
