import { beforeEach, expect, test } from "vitest";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { addTopic } from "../../../src/tenants/topics/topics.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Returns the states of all elements in the page, in the order of the page. */
const states = () =>
  browser.inPage<string>(`return [...document.querySelectorAll("pressbell-bell, pressbell-subscribe, pressbell-follow")]
    .map((element) => element.getAttribute("state")).join()`);

const untilStates = (expected: string) =>
  eventually(async () => (await states().catch(() => "")) === expected, undefined, `the states are not ${expected}`);

/** Tests the elements in real browsers. Each test has a new website with a topic. */
export function testElements(): void {
  let topicId: string;

  beforeEach(async () => {
    await newReader();
    const { site, publisher } = tenant;
    const { siteId, actor } = publisher;
    // A prompt would take the focus.
    await changeSite(fixture.app, actor, { siteId, prompt: { mode: "off" } });
    ({ topicId } = await addTopic(fixture.app, actor, { siteId, name: "Sport" }));
    const elements = `<pressbell-bell></pressbell-bell><pressbell-subscribe></pressbell-subscribe>
      <pressbell-follow topic="Sport"></pressbell-follow>
      <script async src="${fixture.proxy.url}/sdk/elements.js"></script>`;
    site.put("/elements", (await (await fetch(`${site.origin}/`)).text()).replace("</h1>", `</h1>${elements}`));
  });

  test("with the keyboard alone a reader subscribes, and follows a topic or does not", async () => {
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit("/elements");
    await untilStates("unsubscribed,unsubscribed,unsubscribed");
    await browser.key("Tab");
    await browser.key("Enter");
    await untilStates("subscribed,subscribed,subscribed");
    await browser.key("Tab");
    await browser.key("Tab");
    await browser.key("Space");
    await untilStates("subscribed,subscribed,followed");
    await browser.key("Enter");
    await untilStates("subscribed,subscribed,subscribed");
    expect((await tenant.whenCompleted(await tenant.send({ topicIds: [topicId] }))).audience).toBe(0);
    await browser.key("Space");
    await untilStates("subscribed,subscribed,followed");
    await tenant.whenCompleted(await tenant.send({ title: "Final whistle", topicIds: [topicId] }));
    await reader.nudge("Final whistle");
    await browser.dismiss("Final whistle");
  });

  testStory();

  test("what the reader allows or blocks in the browser's controls is shown in the open page", async () => {
    const { origin } = tenant.site;
    await reader.visit("/elements");
    await untilStates("unsubscribed,unsubscribed,unsubscribed");
    await browser.setPermission(origin, "denied");
    await untilStates("denied,denied,denied");
    await browser.setPermission(origin, "prompt");
    await untilStates("unsubscribed,unsubscribed,unsubscribed");
  });

  test("a page that the reader goes back to shows what they have done on another", async () => {
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit("/elements");
    await browser.press("Follow Sport");
    await untilStates("subscribed,subscribed,followed");
    await browser.inPage('location.href = "/bridge"');
    await eventually(() => browser.inPage<boolean>('return document.title === "Bridge opens"').catch(() => false));
    await reader.call("unsubscribe");
    await browser.inPage("history.back()");
    await untilStates("unsubscribed,unsubscribed,unsubscribed");
  });
}

/** Tests the element of a story on a new website. */
function testStory(): void {
  test("a reader follows a story, gets what is sent for it, and ends it where they choose", async () => {
    const story = `<pressbell-follow story="wahl-2026" label="Wahl 2026"></pressbell-follow>
      <script async src="${fixture.proxy.url}/sdk/elements.js"></script>`;
    const form = `<script async src="${fixture.proxy.url}/sdk/preferences.js"></script>`;
    const page = await (await fetch(`${tenant.site.origin}/`)).text();
    tenant.site.put("/story", page.replace("</h1>", `</h1>${story}`));
    tenant.site.put("/push", page.replace("</h1>", `</h1>${form}`));
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit("/story");
    await untilStates("unsubscribed");
    await browser.press("Follow Wahl 2026");
    await untilStates("followed");
    expect((await tenant.whenCompleted(await tenant.send({ followersOf: "wahl-2025" }))).audience).toBe(0);
    const sent = await tenant.send({ title: "Polls close", followersOf: "wahl-2026" });
    expect((await tenant.whenCompleted(sent)).accepted).toBe(1);
    await reader.nudge("Polls close");
    await browser.dismiss("Polls close");
    await reader.visit("/push");
    await browser.inPage(`const item = () => [...document.querySelector("pressbell-preferences")?.shadowRoot
        ?.querySelectorAll("li") ?? []].find(({ textContent }) => textContent.startsWith("Wahl 2026"));
      while (!item()) await new Promise((resolve) => setTimeout(resolve, 20));
      item().querySelector("button").click();
      while (item()) await new Promise((resolve) => setTimeout(resolve, 20));`);
    expect((await tenant.whenCompleted(await tenant.send({ followersOf: "wahl-2026" }))).audience).toBe(0);
    await reader.visit("/story");
    await untilStates("subscribed");
  });
}
