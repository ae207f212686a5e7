import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../eventually.ts";
import type { PushService } from "../../push-service/push-service.ts";
import type { Browser, Nudge } from "../browser.ts";
import { findBrowser } from "../executables.ts";
import { startGuarded } from "../guarded-process.ts";
import { startAutopush } from "./autopush.ts";
import { connectMarionette, type Marionette } from "./marionette.ts";
import { userJs } from "./preferences.ts";
import { scripts } from "./scripts.ts";

/** Firefox shows its own question even without a screen. */
export type Firefox = Browser & {
  /** Says yes to that question, once it is asked. */
  allow(): Promise<void>;
};

/** Starts Firefox without a screen, subscribed to nothing, its push service the simulator. */
export async function startFirefox(pushService: PushService): Promise<Firefox> {
  // Whatever was opened is closed again should the rest fail.
  await using opened = new AsyncDisposableStack();
  const autopush = await startAutopush(pushService);
  opened.defer(autopush.close);
  const home = await mkdtemp(join(tmpdir(), "pressbell-firefox-"));
  opened.defer(() => rm(home, { recursive: true, force: true, maxRetries: 3 }));
  const profile = join(home, "profile");
  await mkdir(profile);
  await writeFile(join(profile, "user.js"), userJs(autopush.url));
  const args = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile];
  const env = { PATH: process.env.PATH ?? "", HOME: home, MOZ_HEADLESS: "1", MOZ_CRASHREPORTER_DISABLE: "1" };
  const firefox = startGuarded(findBrowser("firefox")!, [...args, "about:blank"], env);
  opened.defer(firefox.stop);
  const marionette = await connectMarionette(await portOf(profile));
  opened.defer(marionette.close);
  await marionette.command("WebDriver:SetTimeouts", { script: 30_000, pageLoad: 30_000 });
  const all = opened.move();
  return { home, prelude: "", ...drive(marionette), close: () => all.disposeAsync() };
}

/** Firefox writes the port it has taken into its profile once it listens there. */
function portOf(profile: string): Promise<number> {
  const read = async () => Number(await readFile(join(profile, "MarionetteActivePort"), "utf8").catch(() => "0"));
  return eventually(async () => (await read()) || undefined, 50_000, "Firefox did not start");
}

function drive(marionette: Marionette): Omit<Firefox, "home" | "prelude" | "close"> {
  const inParent = async <T>(script: string, ...args: unknown[]): Promise<T> => {
    await marionette.command("Marionette:SetContext", { value: "chrome" });
    try {
      return await execute<T>(marionette, script, args);
    } finally {
      await marionette.command("Marionette:SetContext", { value: "content" });
    }
  };
  const answer = async (button: string): Promise<void> => {
    await eventually(() => inParent<boolean>(scripts.answer, button), 15_000, "Firefox did not ask");
  };
  return {
    open: (url) => marionette.command("WebDriver:Navigate", { url }),
    inPage: (body, ...args) => execute(marionette, body, args),
    enter: (url) => eventually(() => switchTo(marionette, url), 15_000, `no tab shows ${url}`).then(() => {}),
    async press(text) {
      const find = async () => (await execute<object | null>(marionette, scripts.findButton, [text])) ?? undefined;
      const element = await eventually(find, 15_000, `no button says ${text}`);
      const [id] = Object.values(element) as [string];
      await marionette.command("WebDriver:ElementClick", { id });
    },
    permit: (origin, answer) => inParent(scripts.permit, origin, answer),
    refuse: () => answer("secondaryButton"),
    allow: () => answer("button"),
    nudges: () => inParent<Nudge[]>(scripts.nudges),
    click: (title) => inParent(scripts.press, title, "alertBox"),
    dismiss: (title) => inParent(scripts.press, title, "alert-close"),
    tabs: () => inParent<string[]>(scripts.tabs),
  };
}

/** Makes the tab whose address begins with `url` the one that all else is about; false where there is none yet. */
async function switchTo(marionette: Marionette, url: string): Promise<boolean> {
  for (const handle of await marionette.command<string[]>("WebDriver:GetWindowHandles")) {
    await marionette.command("WebDriver:SwitchToWindow", { handle });
    const { value } = await marionette.command<{ value: string }>("WebDriver:GetCurrentURL");
    if (value.startsWith(url)) return true;
  }
  return false;
}

/** Runs the body of an async function and returns what it resolves with. Rejects with what it throws. */
async function execute<T>(marionette: Marionette, body: string, args: unknown[]): Promise<T> {
  const script = `const done = arguments[arguments.length - 1];
    const args = [...arguments].slice(0, -1);
    (async () => { ${body} })().then(
      (value) => done({ value }), (error) => done({ error: String(error) }));`;
  type Outcome = { value: { value?: T; error?: string } };
  const { value: outcome } = await marionette.command<Outcome>("WebDriver:ExecuteAsyncScript", { script, args });
  if (outcome.error !== undefined) throw new Error(outcome.error);
  return outcome.value as T;
}
