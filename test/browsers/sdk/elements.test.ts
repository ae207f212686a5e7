import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults } from "../dashboard/accessibility.ts";
import { openReaderFixture, type ReaderFixture, type Visit, type VisitOptions } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";

/** The elements that a page can use: what they show in each state, and what a click or a key does. */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

const allElements = `<pressbell-bell></pressbell-bell> <pressbell-subscribe topics="Politics, sports"></pressbell-subscribe>
  <pressbell-follow topic="politics"></pressbell-follow> <pressbell-follow topic="Sports"></pressbell-follow>`;

type Options = VisitOptions & { body?: string; lang?: string; words?: object; preferencesUrl?: string };

/** Opens a page of a new site that has elements and their script. */
async function openElements({ body = allElements, lang = "en", words, preferencesUrl, ...options }: Options = {}) {
  const site = await fixture.newSite();
  if (preferencesUrl) await site.service.setPreferencesUrl(preferencesUrl);
  const attribute = words ? `data-words='${JSON.stringify(words)}'` : "";
  site.site.put(
    "/",
    `<script>seen = []; document.documentElement.lang = "${lang}"</script>${body}
      <script async src="${site.service.base}/sdk/elements.js" ${attribute}></script>`,
  );
  return { ...site, ...(await site.visit(options)) };
}

const bell = (page: Page) => page.locator("pressbell-bell");
const subscribe = (page: Page) => page.locator("pressbell-subscribe");
const follow = (page: Page, topic: string) => page.locator(`pressbell-follow[topic="${topic}" i]`);
const buttonOf = (element: Locator) => element.getByRole("button");

const waitForState = (element: Locator, state: string) =>
  element.and(element.page().locator(`[state=${state}]`)).waitFor();

async function chosen({ run }: Visit): Promise<string[]> {
  type Topics = { all: { topicId: string; name: string }[]; chosen: string[] };
  const topics = await run<Topics>("pressbell.topics()");
  return topics.all.filter(({ topicId }) => topics.chosen.includes(topicId)).map(({ name }) => name);
}

describe("the texts of each element", () => {
  test.each(["unsubscribed", "subscribed", "denied"])("has a name and no fault that axe finds: %s", async (state) => {
    const { page, run } = await openElements(state === "denied" ? { permission: "denied" } : {});
    await waitForState(bell(page), state === "denied" ? state : "unsubscribed");
    if (state === "subscribed") await run("pressbell.subscribe()");
    await waitForState(bell(page), state);
    expect(await page.getByRole("button").count()).toBe(4);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test.each([
    ["en", ["Notify me", "Notify me", "Follow Politics", "Follow Sports"]],
    ["de-AT", ["Benachrichtigen Sie mich", "Benachrichtigen Sie mich", "Politics folgen", "Sports folgen"]],
  ])("speaks the language of the page: %s", async (lang, names) => {
    const { page } = await openElements({ lang });
    await buttonOf(bell(page)).waitFor();
    expect(await page.getByRole("button").allInnerTexts()).toEqual(names);
  });

  test("is called what its attributes say, also later, and else what the script says", async () => {
    const body = `<pressbell-subscribe label="Get the news" label-subscribed="Stop the news"></pressbell-subscribe>
      <pressbell-follow topic="Sports"></pressbell-follow>`;
    const { page, run } = await openElements({ body, words: { follow: "Suivre {topic}" } });
    await page.getByRole("button", { name: "Suivre Sports" }).waitFor();
    await page.getByRole("button", { name: "Get the news" }).click();
    await page.getByRole("button", { name: "Stop the news" }).waitFor();
    await run(`document.querySelector("pressbell-follow").setAttribute("topic", "Politics")`);
    await page.getByRole("button", { name: "Suivre Politics" }).waitFor();
  });
});

describe("each element", () => {
  test("draws nothing where push is unsupported, nor for a topic that the site does not have", async () => {
    const { page } = await openElements({ before: "delete window.PushManager", isBare: true });
    for (const element of [bell(page), subscribe(page), follow(page, "Sports")]) {
      await element.and(page.locator("[state=unsupported]")).waitFor({ state: "attached" });
      expect(await element.isVisible()).toBe(false);
    }
    const other = await openElements({ body: '<pressbell-follow topic="Weather"></pressbell-follow>' });
    const weather = follow(other.page, "Weather");
    await weather.and(other.page.locator("[state=unknown]")).waitFor({ state: "attached" });
    expect(await weather.isVisible()).toBe(false);
  });

  test("stores and sends nothing before the click", async () => {
    const { page, run, service } = await openElements();
    await buttonOf(bell(page)).waitFor();
    expect(await run("Object.keys(localStorage).filter((key) => key.startsWith('pressbell'))")).toEqual([]);
    expect(await run("document.cookie")).toBe("");
    expect(service.posts).toEqual([]);
  });

  test("of a reader who has blocked notifications says how to allow them", async () => {
    const { page } = await openElements({ permission: "denied" });
    for (const element of [bell(page), subscribe(page), follow(page, "Sports")]) {
      await buttonOf(element).click();
      await element.getByRole("status").filter({ hasText: "Allow them in your browser's settings" }).waitFor();
    }
  });

  test("says that it has failed, and no longer after the next try", async () => {
    const { page, service } = await openElements();
    await buttonOf(bell(page)).waitFor();
    service.refusal = { status: 503, message: "Not now." };
    await buttonOf(follow(page, "Sports")).click();
    const said = follow(page, "Sports").getByRole("status");
    await said.filter({ hasText: "That did not work. Please try again." }).waitFor();
    service.refusal = undefined;
    await buttonOf(follow(page, "Sports")).click();
    await said.filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  });

  test("on an iPhone leads to the home screen, or says that it would not help", async () => {
    const onIphone = `delete window.PushManager; delete window.Notification; navigator.standalone = false;
      Object.defineProperty(navigator, "userAgent", { get: () => "Version/VERSION" });`;
    const old = await openElements({ before: onIphone.replace("VERSION", "18.5"), isBare: true });
    await buttonOf(bell(old.page)).click();
    await bell(old.page).getByText("This browser cannot show notifications.").waitFor();
    const recent = await openElements({ before: onIphone.replace("VERSION", "26.0"), isBare: true });
    await buttonOf(bell(recent.page)).click();
    await recent.page.getByRole("dialog").waitFor();
  });
});

describe("the bell", () => {
  test("subscribes, and leads a subscribed reader to the page of preferences", async () => {
    const preferencesUrl = "https://news.example/push";
    const { page } = await openElements({ preferencesUrl });
    await page.route(preferencesUrl, (route) => route.fulfill({ contentType: "text/html", body: "<h1>Choose</h1>" }));
    await buttonOf(bell(page)).click();
    await bell(page).getByRole("button", { name: "Choose your notifications" }).click();
    await page.getByRole("heading", { name: "Choose" }).waitFor();
    expect(page.url()).toBe(preferencesUrl);
  });

  test("of a site without such a page unsubscribes", async () => {
    const { page, run } = await openElements();
    await buttonOf(bell(page)).click();
    await bell(page).getByRole("button", { name: "No more notifications" }).click();
    await waitForState(bell(page), "unsubscribed");
    expect(await run("pressbell.state()")).toBe("unsubscribed");
  });
});

describe("the button to subscribe", () => {
  test("chooses its topics, unsubscribes, and works with the keyboard alone", async () => {
    const visited = await openElements();
    const { page } = visited;
    await buttonOf(bell(page)).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await waitForState(subscribe(page), "subscribed");
    expect(await chosen(visited)).toEqual(["Politics", "Sports"]);
    await page.keyboard.press("Space");
    await waitForState(subscribe(page), "unsubscribed");
    expect(await visited.run("document.activeElement.localName")).toBe("pressbell-subscribe");
  });

  test("without topics leaves the reader's choice", async () => {
    const visited = await openElements({ body: "<pressbell-subscribe></pressbell-subscribe>" });
    const { page, service, run } = visited;
    await buttonOf(subscribe(page)).waitFor();
    await run(`pressbell.setTopics(["${service.topics[1]!.topicId}"])`);
    await buttonOf(subscribe(page)).click();
    await waitForState(subscribe(page), "subscribed");
    expect(await chosen(visited)).toEqual(["Sports"]);
  });
});

describe("the toggle of a topic", () => {
  test("subscribes with its topic, then adds and takes out topics one by one", async () => {
    const visited = await openElements();
    const { page } = visited;
    const [politics, sports] = [follow(page, "Politics"), follow(page, "Sports")];
    await buttonOf(sports).click();
    await waitForState(sports, "followed");
    expect(await chosen(visited)).toEqual(["Sports"]);
    await waitForState(politics, "subscribed");
    await buttonOf(politics).click();
    await waitForState(politics, "followed");
    expect(await chosen(visited)).toEqual(["Politics", "Sports"]);
    await buttonOf(sports).press("Space");
    await waitForState(sports, "subscribed");
    expect(await chosen(visited)).toEqual(["Politics"]);
    expect(await buttonOf(politics).getAttribute("aria-pressed")).toBe("true");
    expect(await buttonOf(sports).getAttribute("aria-pressed")).toBe("false");
  });

  test.each(["a new reader", "a subscribed reader"])("loses no topic of two that %s follows at once", async (who) => {
    const visited = await openElements();
    const { page, run, service } = visited;
    await buttonOf(bell(page)).waitFor();
    if (who === "a subscribed reader") await run("pressbell.subscribe()");
    await waitForState(bell(page), who === "a new reader" ? "unsubscribed" : "subscribed");
    await run(
      `document.querySelectorAll("pressbell-follow").forEach((one) => one.shadowRoot.querySelector("button").click())`,
    );
    await waitForState(follow(page, "Politics"), "followed");
    await waitForState(follow(page, "Sports"), "followed");
    await expect
      .poll(() => bodiesPostedTo(service, "/subscriptions").at(-1))
      .toMatchObject({
        topicIds: service.topics.map(({ topicId }) => topicId),
      });
  });

  test("keeps its topic if the browser's question is answered when the page is gone", async () => {
    const { page, visit } = await openElements({ answer: "default" });
    await buttonOf(follow(page, "Sports")).click();
    const later = await visit({ permission: "granted" });
    await waitForState(follow(later.page, "Sports"), "followed");
    expect(await chosen(later)).toEqual(["Sports"]);
  });
});

describe("a change elsewhere", () => {
  test("by the page's own calls is shown by all elements", async () => {
    const { page, run, service } = await openElements();
    await buttonOf(bell(page)).waitFor();
    await run("pressbell.subscribe()");
    for (const element of [bell(page), subscribe(page), follow(page, "Sports")])
      await waitForState(element, "subscribed");
    await run(`pressbell.setTopics(["${service.topics[1]!.topicId}"])`);
    await waitForState(follow(page, "Sports"), "followed");
    await run("pressbell.unsubscribe()");
    for (const element of [bell(page), subscribe(page), follow(page, "Sports")])
      await waitForState(element, "unsubscribed");
  });

  test("in another tab is shown, and by an element that is put into the page later", async () => {
    const { page, run, visit } = await openElements();
    await buttonOf(bell(page)).waitFor();
    const other = await visit();
    await buttonOf(follow(other.page, "Sports")).click();
    await waitForState(follow(page, "Sports"), "followed");
    await run(`document.body.append(document.createElement("pressbell-bell"))`);
    await waitForState(bell(page).last(), "subscribed");
  });

  test("while the page was kept to go back to is shown", async () => {
    const { page, run } = await openElements();
    await buttonOf(bell(page)).waitFor();
    // Simulates a change in another page. A page in the back/forward cache gets no storage event of it.
    await run(`localStorage.setItem("test.permission", '"denied"')`);
    await run(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
    await waitForState(bell(page), "denied");
  });
});
