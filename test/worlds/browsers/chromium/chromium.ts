import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, type CDPSession, chromium } from "playwright-core";
import { eventually } from "../../eventually.ts";
import type { PushService } from "../../push-service/push-service.ts";
import type { Browser, Permission } from "../browser.ts";
import { findBrowser } from "../executables.ts";
import { type Desktop, startDesktop } from "./desktop.ts";
import { leadEndpointsTo } from "./endpoints.ts";
import { startGcm } from "./gcm.ts";

/** Starts Chromium without a screen, subscribed to nothing, its push service the simulator. */
export async function startChromium(pushService: PushService): Promise<Browser> {
  // Whatever was opened is closed again should the rest fail.
  await using opened = new AsyncDisposableStack();
  const gcm = await startGcm(pushService);
  opened.defer(gcm.close);
  const desktop = await startDesktop();
  opened.defer(desktop.close);
  const home = await mkdtemp(join(tmpdir(), "pressbell-chromium-"));
  opened.defer(() => rm(home, { recursive: true, force: true, maxRetries: 3 }));
  // A context of its own would be incognito, where a subscription is refused.
  const context = await chromium.launchPersistentContext(home, {
    executablePath: findBrowser("chromium")!,
    headless: true,
    chromiumSandbox: false,
    args: gcm.switches,
    env: { PATH: process.env.PATH ?? "", HOME: home, DBUS_SESSION_BUS_ADDRESS: desktop.busAddress },
  });
  opened.defer(() => context.close());
  const prelude = leadEndpointsTo(`${pushService.origin}/browser/`);
  await context.addInitScript(prelude);
  const driven = await drive(context, desktop);
  const all = opened.move();
  return { home, prelude, ...driven, close: () => all.disposeAsync() };
}

async function drive(context: BrowserContext, desktop: Desktop): Promise<Omit<Browser, "home" | "prelude" | "close">> {
  let page = context.pages()[0]!;
  const session = await context.newCDPSession(page);
  return {
    open: async (url) => void (await page.goto(url)),
    async enter(url) {
      const find = async () => context.pages().find((tab) => tab.url().startsWith(url));
      page = await eventually(find, 15_000, `no tab shows ${url}`);
      await page.bringToFront();
    },
    inPage: (body, ...args) => page.evaluate(`(async (args) => { ${body} })(${JSON.stringify(args)})`),
    press: (text) => page.getByText(text, { exact: true }).click(),
    permit: (origin, answer) => permit(session, origin, answer),
    refuse: async () => {},
    nudges: desktop.nudges,
    click: desktop.click,
    dismiss: desktop.dismiss,
    tabs: async () => context.pages().map((tab) => tab.url()),
  };
}

/** Chromium asks for nudges and for pushes apart; a reader answers once. It holds as long as `session` is attached. */
async function permit(session: CDPSession, origin: string, setting: Permission): Promise<void> {
  for (const permission of [{ name: "notifications" }, { name: "push", userVisibleOnly: true }]) {
    await session.send("Browser.setPermission", { origin, permission, setting });
  }
}
