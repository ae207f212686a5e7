import type { Frame, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { openReaderFixture, type ReaderFixture, type ReaderSite } from "./fixture.ts";
import { startSite } from "./site.ts";

/** Which pages ask, how often, and what a developer reads if their script element cannot work. */
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

/** Returns whether a frame shows the prompt once its visit is handled. */
async function isPrompted(frame: Frame): Promise<boolean> {
  await frame.waitForFunction("window.pressbell?.topics");
  return frame.evaluate(`(async () => {
    await pressbell.topics();
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (let looks = 0; looks < 5; looks++) await pressbell.state();
    return document.querySelector("pressbell-prompt") !== null;
  })()`);
}

describe("frames", () => {
  test("a page that frames another page of the site shows one prompt, its own", async () => {
    const { site, visit } = await promptingSite();
    site.put("/", `<iframe src="/inner"></iframe>`);
    site.put("/inner", "<script>seen = []</script>");
    const { page } = await visit();
    const [top, inner] = page.frames();
    expect(await isPrompted(inner!)).toBe(false);
    expect(await inner!.evaluate("pressbell.prompt()")).toBe(false);
    await top!.waitForSelector("pressbell-prompt", { state: "attached" });
  });

  test("a page of the site in a frame of another site never asks", async () => {
    const { service, site } = await promptingSite();
    const other = await startSite(service);
    other.put("/", `<iframe src="${site.origin}/"></iframe>`);
    const page = await fixture.context.newPage();
    await page.goto(other.origin);
    const inner = await eventually(async () => page.frames().find((frame) => frame.url().startsWith(site.origin)));
    expect(await isPrompted(inner)).toBe(false);
    expect(await inner.evaluate("pressbell.prompt()")).toBe(false);
    expect(await isPrompted(inner)).toBe(false);
  });
});

describe("two tabs", () => {
  test.each(["Not now", "Yes, please"])('"%s" in one takes the prompt away in the other', async (answer) => {
    const { visit } = await promptingSite();
    const [one, other] = [await visit(), await visit()];
    await dialogOf(other.page).waitFor();
    await dialogOf(one.page).getByRole("button", { name: answer }).click();
    await dialogOf(other.page).waitFor({ state: "detached" });
    expect(await other.events()).not.toContain("dismissed");
  });

  test("a choice of topics in one leaves the prompt in the other", async () => {
    const { service, visit } = await promptingSite();
    const [one, other] = [await visit(), await visit()];
    await dialogOf(other.page).waitFor();
    await other.run(`new Promise((resolve) => {
      window.heard = new Promise((then) => addEventListener("storage", then));
      resolve();
    })`);
    await one.run(`pressbell.setTopics(["${service.topics[0]!.topicId}"])`);
    await other.run("heard.then(() => pressbell.state())");
    expect(await dialogOf(other.page).count()).toBe(1);
  });
});

test("after a yes that the browser's question left open, the prompt rests 3 days, then 6", async () => {
  const { visit } = await promptingSite();
  let atMs = Date.now();
  for (const days of [3, 6]) {
    const asked = await visit({ answer: "default", atMs });
    await asked.run("pressbell.topics()");
    await asked.advance(1_000);
    await dialogOf(asked.page).getByRole("button", { name: "Yes, please" }).click();
    await asked.event("dismissed");
    await asked.page.close();
    const soon = await visit({ atMs: atMs + days * dayMs });
    await soon.settled();
    await soon.advance(500);
    expect(await dialogOf(soon.page).count()).toBe(0);
    await soon.page.close();
    atMs += days * dayMs + 60_000;
  }
});

describe("a script element that cannot work", () => {
  test.each([
    ["without the site's id", `data-site=""`],
    ["without the tenant's id", `data-tenant=""`],
  ])("%s says in the console what to change", async (_, attributes) => {
    const { site } = await fixture.newSite();
    site.attributes = attributes;
    const page = await fixture.context.newPage();
    const [message] = await Promise.all([page.waitForEvent("console"), page.goto(site.origin)]);
    expect(message.type()).toBe("error");
    expect(message.text()).toContain("Pressbell: data-tenant or data-site is missing");
  });

  test.each(["site", "tenant"])("without the %s's id, a call fails with the same words", async (name) => {
    const { site, visit } = await fixture.newSite();
    site.attributes = `data-${name}=""`;
    const { run, event } = await visit();
    await run("pressbell.subscribe()");
    expect(await event("failed")).toMatchObject({
      reason: "settings",
      message: expect.stringContaining("data-tenant or data-site is missing"),
    });
  });
});
