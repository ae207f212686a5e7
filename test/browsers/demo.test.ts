import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { story } from "../../demo/newspaper.ts";
import { createApi } from "../fixtures/app.ts";
import type { Browser } from "../fixtures/browsers/browser.ts";
import { installedBrowsers } from "../fixtures/browsers/installed-browsers.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";

const demo = fileURLToPath(new URL("../../demo/demo.ts", import.meta.url));

/** The demo, used as by a person with their own browser. Here the browser's push service is the simulator. */
let pushService: PushService;
let url: string;
/** The sign-in link that the demo prints. */
let link: string;

beforeAll(async () => {
  pushService = await startPushService({ host: "localhost" });
  const DATA_DIR = await mkdtemp(join(tmpdir(), "pressbell-demo-test-"));
  afterFile(() => rm(DATA_DIR, { recursive: true, force: true }));
  const settings = { DATA_DIR, PUSH_SERVICES: pushService.origin, NODE_EXTRA_CA_CERTS: pushService.caFile };
  const demoProcess = spawnProcess(["--subscribers", "5"], settings, demo);
  afterFile(() => {
    demoProcess.process.kill("SIGTERM");
    return demoProcess.ended;
  });
  [, link] = (await demoProcess.printed(/signs you in, once:\s+(http:\S+)/)) as unknown as [string, string];
  [, url] = (await demoProcess.printed(/open (http:\S+) in Chrome or Firefox/)) as unknown as [string, string];
});

test("the printed link signs in to the dashboard, once, and on this machine only", async () => {
  expect(new URL(link).hostname).toBe("localhost");
  const looked = await fetch(link, { method: "HEAD" });
  expect(looked.status).toBe(404);
  const opened = await fetch(link, { redirect: "manual" });
  expect(opened.status).toBe(302);
  const service = opened.headers.get("location")!;
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const api = createApi(`${service}/dashboard/api`);
  const read = async (path: string) => (await api.call("GET", path, { headers: { cookie } })).body;
  const { user, tenants } = await read("/start");
  expect(user.email).toMatch(/^owner-/);
  const [{ tenantId, sites }] = tenants;
  const overview = await read(`/tenants/${tenantId}/sites/${sites[0].siteId}/overview`);
  expect(overview.recent).toHaveLength(6);
  expect(overview.scheduled).toHaveLength(2);

  const again = await fetch(link, { redirect: "manual" });
  expect([again.status, again.headers.getSetCookie()]).toEqual([410, []]);
  const guessed = await fetch(new URL("/another", link));
  expect(guessed.status).toBe(404);
});

describe.each(installedBrowsers())("$name", ({ start }) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await start(pushService);
  });
  afterAll(() => browser?.close());

  const pageShows = (text: string) =>
    eventually(async () => (await browser.inPage<string>("return document.body.innerText")).includes(text));

  test("a person follows the three steps: subscribes, gets a notification, sees it counted", async () => {
    await browser.setPermission(url, "granted");
    await browser.open(url);
    await pageShows("Say yes to both.");
    await browser.press("1. Ask me");
    await browser.press("Yes, please");
    await pageShows("This browser is subscribed.");

    await browser.press("2. Notify me");
    const nudge = await eventually(async () => (await browser.nudges())[0]);
    expect(nudge).toEqual({ title: story.title, body: story.summary });
    await browser.click(story.title);
    await browser.switchToTab(url + story.path);
    await browser.switchToTab(`${url}/`);
    const counts = () => browser.inPage<string>("return document.getElementById('counts').innerText");
    await eventually(async () => /displayed\s+1\s+clicked\s+1\s+dismissed\s+0/.test(await counts()));
  });
});
