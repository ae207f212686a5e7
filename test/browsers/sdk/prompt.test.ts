import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { accessibilityFaults } from "../dashboard/accessibility.ts";
import { openReaderFixture, type ReaderFixture, type ReaderSite } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";

const dayMs = 86_400_000;
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

/** Creates a site whose soft prompt appears at once. */
async function promptingSite(): Promise<ReaderSite> {
  const site = await fixture.newSite();
  await site.service.setPrompt({ mode: "soft" });
  return site;
}

function dialogOf(page: Page) {
  return page.getByRole("dialog", { name: "Breaking news as it happens?" });
}

function prompted(service: ReaderSite["service"]): unknown[] {
  return bodiesPostedTo(service, "/counts").filter((body) => (body as { count: string }).count === "prompted");
}

/** Returns the focused element: its id, or its role or text if it is in the prompt. */
function focusIn(page: Page): Promise<string> {
  const inPrompt = "document.activeElement.shadowRoot?.activeElement";
  return page.evaluate(`${inPrompt}?.getAttribute("role") ?? ${inPrompt}?.textContent ?? document.activeElement.id`);
}

describe("the soft prompt", () => {
  test("shows the site's texts, after the site's delay", async () => {
    const { service, visit } = await promptingSite();
    const { body } = await service.setPrompt({ delaySeconds: 7, body: "At most one a day." });
    const { page, settled, advance } = await visit({ atMs: Date.now() });
    await settled();
    await advance(6_900);
    expect(await dialogOf(page).count()).toBe(0);
    await advance(200);
    await dialogOf(page).waitFor();
    await expect(dialogOf(page).innerText()).resolves.toContain(body);
    const buttons = await dialogOf(page).getByRole("button").allInnerTexts();
    expect(buttons).toEqual(["Not now", "Yes, please"]);
  });

  test("leads to the permission prompt, and disappears", async () => {
    const { service, visit } = await promptingSite();
    const { page, event } = await visit();
    await dialogOf(page).getByRole("button", { name: "Yes, please" }).click();
    await event("subscribed");
    expect(await dialogOf(page).count()).toBe(0);
    expect(bodiesPostedTo(service, "/subscriptions")).toHaveLength(1);
  });

  test('does not return for the days that the site sets after "not now"', async () => {
    const { service, visit } = await promptingSite();
    await service.setPrompt({ repeatDays: 30 });
    const first = await visit();
    await dialogOf(first.page).getByRole("button", { name: "Not now" }).click();
    await first.event("dismissed");
    expect(await dialogOf(first.page).count()).toBe(0);
    const soon = await visit({ atMs: Date.now() + 29 * dayMs });
    await soon.settled();
    await soon.advance(60_000);
    expect(await dialogOf(soon.page).count()).toBe(0);
    const later = await visit({ atMs: Date.now() + 30 * dayMs + 60_000 });
    await later.run("pressbell.topics()");
    await later.advance(1_000);
    await dialogOf(later.page).waitFor();
  });
});

/** Makes the prompt offer all topics of the site. */
const offer = async (site: ReaderSite) =>
  site.service.setPrompt({ topicIds: site.service.topics.map(({ topicId }) => topicId).toReversed() });
const ticked = (page: Page) => dialogOf(page).getByRole("checkbox", { checked: true });
const say = (page: Page, name: string) => dialogOf(page).getByRole("button", { name }).click();

describe("topics in the prompt", () => {
  test("stand in it with the section of the page ticked, and the yes has what is ticked", async () => {
    const reader = await promptingSite();
    const { service, site, visit } = reader;
    await offer(reader);
    site.put("/", `<meta property="article:section" content=" sports"><h1>News</h1>`);
    const { page } = await visit();
    await dialogOf(page).waitFor();
    const group = dialogOf(page).getByRole("group", { name: "Also notify me about" });
    expect(await group.getByRole("checkbox").count()).toBe(3);
    expect(await group.innerText()).toMatch(/All of these\s+Sports\s+Politics/);
    expect(await ticked(page).count()).toBe(1);
    expect(await dialogOf(page).getByLabel("Sports").isChecked()).toBe(true);
    const faults = await accessibilityFaults(page);
    expect(faults.filter((fault) => fault.includes("pressbell-prompt"))).toEqual([]);
    await say(page, "Yes, please");
    await eventually(async () => bodiesPostedTo(service, "/subscriptions").length > 0);
    expect(bodiesPostedTo(service, "/subscriptions")).toMatchObject([{ topicIds: [service.topics[1]!.topicId] }]);
  });

  test("one box ticks all of them, also by the keyboard, and shows when all are ticked", async () => {
    const reader = await promptingSite();
    await offer(reader);
    const { page, event } = await reader.visit();
    const all = dialogOf(page).getByLabel("All of these");
    await all.focus();
    await page.keyboard.press("Space");
    expect(await ticked(page).count()).toBe(3);
    await dialogOf(page).getByLabel("Politics").press("Space");
    expect(await all.isChecked()).toBe(false);
    await dialogOf(page).getByLabel("Politics").press("Space");
    expect(await all.isChecked()).toBe(true);
    await say(page, "Yes, please");
    await event("subscribed");
    const ids = reader.service.topics.map(({ topicId }) => topicId).toReversed();
    expect(bodiesPostedTo(reader.service, "/subscriptions")).toMatchObject([{ topicIds: ids }]);
  });

  test("keep what is ticked where the browser's question is answered at a later visit", async () => {
    const reader = await promptingSite();
    await offer(reader);
    const [politics] = reader.service.topics;
    const asked = await reader.visit({ answer: "default" });
    await dialogOf(asked.page).getByLabel("Politics").check();
    await say(asked.page, "Yes, please");
    await asked.event("dismissed");
    await asked.page.close();
    const allowed = await reader.visit({ permission: "granted" });
    await allowed.event("subscribed");
    expect(bodiesPostedTo(reader.service, "/subscriptions")).toMatchObject([{ topicIds: [politics!.topicId] }]);
  });

  test("that were chosen elsewhere on the site are kept, and ticked if they are offered", async () => {
    const { service, visit } = await promptingSite();
    const [politics, sports] = service.topics;
    await service.setPrompt({ topicIds: [sports!.topicId], delaySeconds: 1 });
    const { page, run, event } = await visit();
    await run(`pressbell.setTopics(["${politics!.topicId}", "${sports!.topicId}"])`);
    await dialogOf(page).waitFor();
    expect(await dialogOf(page).getByRole("checkbox").count()).toBe(1);
    await dialogOf(page).getByLabel("Sports").uncheck();
    await say(page, "Yes, please");
    await event("subscribed");
    expect(bodiesPostedTo(service, "/subscriptions")).toMatchObject([{ topicIds: [politics!.topicId] }]);
  });
});

describe("the prompt's focus and keys", () => {
  test("Escape means not now, and the focus returns to where it was", async () => {
    const { site, visit } = await fixture.newSite();
    site.put("/", `<button id="bell" onclick="pressbell.prompt()">Notify me</button><script>seen = []</script>`);
    const { page } = await visit();
    await page.waitForFunction("pressbell.prompt");
    await page.locator("#bell").click();
    await dialogOf(page).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    expect(await focusIn(page)).toBe("bell");
  });

  test("it takes the focus when nothing has it, and Tab moves through its buttons", async () => {
    const { visit } = await promptingSite();
    const { page } = await visit();
    await dialogOf(page).waitFor();
    expect(await focusIn(page)).toBe("dialog");
    await page.keyboard.press("Tab");
    expect(await focusIn(page)).toBe("Not now");
    await page.keyboard.press("Tab");
    expect(await focusIn(page)).toBe("Yes, please");
  });

  test("it does not take the focus from a reader who is typing, and ignores their Escape", async () => {
    const { site, visit } = await promptingSite();
    site.put("/", `<textarea id="comment" autofocus></textarea>`);
    const { page } = await visit({ before: "seen = []" });
    await page.locator("#comment").focus();
    await page.waitForFunction("pressbell.prompt");
    await dialogOf(page).waitFor();
    await page.keyboard.type("I think");
    await page.keyboard.press("Escape");
    expect(await page.locator("#comment").inputValue()).toBe("I think");
    expect(await dialogOf(page).count()).toBe(1);
  });
});

describe("the prompt in a hostile page", () => {
  test("shows its texts as plain text, even if they contain markup", async () => {
    const { service, visit } = await promptingSite();
    const { body } = await service.setPrompt({ body: `<img src="x" onerror="window.broken = true">` });
    const { page, run } = await visit();
    await expect(dialogOf(page).getByRole("paragraph").innerText()).resolves.toBe(body);
    expect(await run("window.broken")).toBeUndefined();
  });

  test("keeps its look on a page whose styles match every element", async () => {
    const { site, visit } = await promptingSite();
    site.put(
      "/",
      `<style>* { display: none !important; all: unset !important; color: red !important } button { width: 1px }</style>`,
    );
    const { page } = await visit({ before: "seen = []" });
    const accept = dialogOf(page).getByRole("button", { name: "Yes, please" });
    await accept.waitFor();
    expect(await coloursOf(page, "button:last-child")).toEqual(["rgb(255, 255, 255)", "rgb(31, 79, 216)"]);
    const { width, height } = (await accept.boundingBox())!;
    expect(width).toBeGreaterThan(80);
    expect(height).toBeGreaterThanOrEqual(44);
  });
});

describe("the prompt is not shown", () => {
  test("to a subscribed reader, and prompt() returns false", async () => {
    const { visit } = await promptingSite();
    const { page, run } = await visit();
    await run("pressbell.subscribe()");
    expect(await run("pressbell.prompt()")).toBe(false);
    await page.close();
    const again = await visit();
    await again.settled();
    expect(await dialogOf(again.page).count()).toBe(0);
  });

  test("twice, even if prompt() is called twice", async () => {
    const { visit } = await fixture.newSite();
    const { page, run } = await visit();
    expect(await run("Promise.all([pressbell.prompt(), pressbell.prompt()])")).toEqual([true, true]);
    expect(await dialogOf(page).count()).toBe(1);
  });

  test("twice, and counts and listens once for each time that it is shown", async () => {
    const { service, visit } = await fixture.newSite();
    const listening = `window.listening = new Set();
      for (const [name, change] of [["addEventListener", "add"], ["removeEventListener", "delete"]]) {
        const real = window[name];
        window[name] = (type, listener, ...rest) => {
          if (type === "storage") listening[change](listener);
          return real.call(window, type, listener, ...rest);
        };
      }`;
    const { page, run } = await visit({ before: listening });
    for (const shown of [1, 2]) {
      await run("Promise.all([pressbell.prompt(), pressbell.prompt()])");
      expect(await run("listening.size")).toBe(1);
      await dialogOf(page).getByRole("button", { name: "Not now" }).click();
      expect(await run("listening.size")).toBe(0);
      await eventually(async () => prompted(service).length === shown);
    }
    await run("pressbell.prompt()");
    await eventually(async () => prompted(service).length >= 3);
    expect(prompted(service)).toHaveLength(3);
  });

  test("when the permission was denied, and the page gets an event", async () => {
    const { visit } = await promptingSite();
    const { run, events } = await visit({ permission: "denied" });
    expect(await run("pressbell.prompt()")).toBe(false);
    expect(await run("pressbell.state()")).toBe("denied");
    expect(await events()).toEqual(["ready", "denied", "denied"]);
  });
});

describe("its contrast", () => {
  test.each(["light", "dark"] as const)(
    "is at least 4.5 to 1 for every text in the %s colour scheme",
    async (colorScheme) => {
      const { visit } = await fixture.newSite();
      const { page, run } = await visit();
      await page.emulateMedia({ colorScheme });
      await run("pressbell.prompt()");
      for (const name of ["h2", "p", "button:first-child", "button:last-child"]) {
        const [text, back] = await coloursOf(page, name);
        expect(contrast(text!, back!), `${name}: ${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
      }
    },
  );
});

/** Returns the colours of a text in the prompt and of its background. */
function coloursOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const element = document.querySelector("pressbell-prompt").shadowRoot.querySelector("${selector}");
    let behind = element;
    while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
    return [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
  })()`);
}

/** Returns the contrast ratio of two colours of the form rgb(…): WCAG 2.2, "relative luminance". */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: string): number {
  const parts = colour.match(/\d+/g)!.map((part) => Number(part) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
