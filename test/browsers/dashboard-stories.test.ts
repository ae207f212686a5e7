import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { siteById } from "../../src/tenants/sites/queries.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { makePollDue, story as storyOf } from "../feeds/fixture.ts";
import { launchChromium } from "../fixtures/browsers/shared-chromium.ts";
import { eventually } from "../fixtures/eventually.ts";
import { answerWith, type FeedItem, rss } from "../fixtures/feed-server.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture({}, launchChromium);
const { app, feeds } = fixture;
const options = { ignoreHTTPSErrors: true };
let page: Page;
let feedId: string;
let site: Awaited<ReturnType<typeof setUp>>;

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgyPr/HwAD4gJ2n4xTFQAAAABJRU5ErkJggg==",
  "base64",
);
const story = (name: string, more: FeedItem = {}) => storyOf({ server: feeds }, name, more);
const card = (name: string) => page.locator(`[data-story="${feeds.origin}/stories/${name}"]`);
const bar = () => page.locator("[data-send-bar]");

/** Serves these items with their pages. The decision rejects the pages of `unlisted`. */
function publish(items: FeedItem[], unlisted: string[] = []): void {
  for (const { link, title } of items) {
    const path = new URL(link!).pathname;
    const isUnlisted = unlisted.some((name) => path.endsWith(name));
    const html = articleHtml(title!).replace("</head>", '<meta name="robots" content="noindex"></head>');
    feeds.publish(path, title, isUnlisted ? html : undefined);
  }
  feeds.serve("/news.xml", rss(items));
}

beforeAll(async () => {
  page = await fixture.visit(options);
  site = await setUp(page, app);
  await fixture.addReaders(site.siteId, 3);
  await changeSites(app, { id: site.siteId }, { url: `${feeds.origin}/` });
  await addTopic(app, operatorOf(site.tenantId), { siteId: site.siteId, name: "Rowing" });
  feeds.serve("/bridge.png", answerWith(pixel, { "content-type": "image/png" }));
  const more = `<enclosure url="${feeds.origin}/bridge.png" type="image/png" length="1"/>`;
  publish([story("bridge", { more }), story("harbour"), story("hidden")], ["hidden"]);
  ({ feedId } = await addFeed(app, operatorOf(site.tenantId), {
    siteId: site.siteId,
    url: `${feeds.origin}/news.xml`,
  }));
  await makePollDue(app, feedId);
});

test("the feeds' newest stories are cards with picture and decision; a click writes the text", async () => {
  await page.goto(`/sites/${site.siteId}/compose`);
  await eventually(async () => {
    if ((await card("bridge").count()) === 1) return true;
    await page.reload();
    return page
      .getByRole("region", { name: "Newest stories" })
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
  });
  await card("bridge").getByText("Worth sending").waitFor();
  await card("hidden").getByText("Better not").waitFor();
  await card("bridge").getByRole("time").waitFor();
  await eventually(() => page.evaluate(`document.querySelector("[data-story$=bridge] img")?.naturalWidth === 1`));
  expect(feeds.asked("/bridge.png").every(({ headers }) => headers.referer === undefined)).toBe(true);
  await card("bridge").click();
  await page.getByTestId("preview-title").getByText("The story of bridge").waitFor();
  expect(await card("bridge").getAttribute("aria-pressed")).toBe("true");
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("the send bar stays in view with title, number and topics, and says what is missing", async () => {
  await bar().getByText("The story of bridge").waitFor();
  await bar().getByText("3 people · everybody").waitFor();
  await page.getByText("Rowing · 0").click();
  await bar().getByText("0 people · Rowing").waitFor();
  await page.getByText("Everybody", { exact: true }).click();
  await page.getByLabel(/^Title/).fill("");
  await bar().getByText("Write a title.").waitFor();
  await page.getByLabel(/^Title/).fill("Our own words");
  for (const top of [0, 10_000]) {
    await page.evaluate(`scrollTo(0, ${top})`);
    expect(await bottomOfSend(page)).toBeLessThan(720);
  }
});

async function bottomOfSend(on: Page): Promise<number> {
  const { y, height } = (await on.getByRole("button", { name: "Send now…" }).boundingBox())!;
  return y + height;
}

test("another card after texts were typed starts a draft of its own, and the typed one is kept", async () => {
  await page
    .getByTestId("save-note")
    .getByText(/^Saved/)
    .waitFor();
  await card("harbour").click();
  await page.getByTestId("preview-title").getByText("The story of harbour").waitFor();
  await page.getByRole("region", { name: "Your other drafts" }).getByText("Our own words").waitFor();
});

test("Ctrl and Enter ask like the button does, and what is sent can be undone", async () => {
  await page.getByLabel(/^Title/).focus();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Send to 3 people" }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("Undone. No reader got it.").waitFor();
});

test("an editor asks for suggestions on their device, and one tap opens the draft", async () => {
  const context = page.context();
  await context.grantPermissions(["notifications"], { origin: fixture.url });
  const applicationServerKey = (await siteById(app.db, site.siteId))!.vapidPublicKey.toString("base64url");
  const [subscription] = fixture.pushService.createSubscriptions(1, { applicationServerKey });
  // The browser cannot reach its own push service, so it gets a subscription of the simulator.
  await context.addInitScript(
    `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(subscription)}) })`,
  );
  await page.goto(`/sites/${site.siteId}/feeds`);
  await page.getByRole("link", { name: "The Herald" }).click();
  await page.getByLabel("Suggest only: an editor decides").click();
  await page.getByText("Suggests", { exact: true }).waitFor();
  expect(await page.getByLabel("Override: send what the decision rejects, too").isDisabled()).toBe(true);
  await page.goto(`/sites/${site.siteId}/feeds`);
  const ask = page.getByLabel("Ask me on this device when a feed suggests a story");
  await ask.click();
  await eventually(() => ask.isChecked());
  expect(await accessibilityFaults(page)).toEqual([]);

  publish([story("tunnel"), story("bridge"), story("harbour"), story("hidden")], ["hidden"]);
  await makePollDue(app, feedId);
  const { endpoint } = subscription!;
  const [told] = await eventually(async () => {
    const all = fixture.pushService.decrypt(endpoint);
    return all.length > 0 && all;
  }, 30_000);
  expect(told).toMatchObject({ title: "Send this to 3 readers?", body: "The story of tunnel" });

  const cdp = await context.newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => resolve(registrations[0]!.registrationId));
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registration;
  const message = { origin: fixture.url, registrationId, data: JSON.stringify(told) };
  const deliver = () => cdp.send("ServiceWorker.deliverPushMessage", message);
  await deliver();
  const worker = await eventually(async () => context.serviceWorkers()[0] ?? false);
  const countShown = async () => {
    const shown = await worker.evaluate<number>("registration.getNotifications().then((all) => all.length)");
    // Unlike a push service, this command drops a message while the browser is starting or stopping the worker.
    if (shown === 0) await deliver();
    return shown;
  };
  await expect.poll(countShown, { interval: 1_000 }).toBe(1);
  // A click by script is untrusted and opens no window. So the test records the URL that would be opened.
  const opened = await worker.evaluate<string>(`registration.getNotifications().then(([notification]) => {
    clients.openWindow = async (url) => { self.opened = url; };
    dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    return self.opened;
  })`);
  await page.goto(opened);
  await page.getByTestId("preview-title").getByText("The story of tunnel").waitFor();
  await bar().getByText("3 people · everybody").waitFor();
  await card("tunnel").getByText("Suggested").waitFor();
});

test("on a phone the bar stays in view, and nothing is wider than the window", async () => {
  const phone = await fixture.visit({ ...options, viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await signIn(phone, owner);
  await phone.goto(`/sites/${site.siteId}/compose?fresh=yes`);
  await phone.getByRole("region", { name: "Newest stories" }).waitFor();
  for (const top of [0, 10_000]) {
    await phone.evaluate(`scrollTo(0, ${top})`);
    expect(await bottomOfSend(phone)).toBeLessThan(844);
  }
  expect(await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(await accessibilityFaults(phone)).toEqual([]);
  expect(fixture.faults).toEqual([]);
});
