import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { findBrowser } from "../fixtures/browsers/executables.ts";
import { type Picture, pictures } from "./pictures.ts";

/** `npm run docs:pictures`. Starts the demo and writes the pictures of docs/images/ from its dashboard. */
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "docs/images");

const executablePath = findBrowser("chromium");
if (executablePath === undefined) throw new Error("Chromium is missing: install it, or put it in PATH");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const dataDir = await mkdtemp(join(tmpdir(), "pressbell-pictures-"));
const demo = spawn(process.execPath, ["demo/demo.ts"], {
  cwd: root,
  env: { ...process.env, DATA_DIR: dataDir },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(demo, "exit");
try {
  const printed = await untilPrinted(/open (http:\S+) in Chrome/);
  const link = /signs you in, once:\s+(http:\S+)/.exec(printed)![1]!;
  const desk = /curl -sk (https:\S+)/.exec(printed)![1]!;
  await takePictures(browser, link, desk);
} finally {
  await browser.close();
  demo.kill("SIGTERM");
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}

/** Waits until the demo has printed `pattern`. Returns everything that it has printed. */
async function untilPrinted(pattern: RegExp): Promise<string> {
  let printed = "";
  demo.stdout.setEncoding("utf8");
  return new Promise((resolve, reject) => {
    demo.stdout.on("data", (part: string) => {
      printed += part;
      if (pattern.test(printed)) resolve(printed);
    });
    void ended.then(() => reject(new Error(`the demo ended:\n${printed}`)));
  });
}

/** Takes the pictures. `link` signs in, and `desk` publishes a story. */
async function takePictures(on: Browser, link: string, desk: string): Promise<void> {
  // The demo's newspaper has a certificate of its own.
  const options = { locale: "en-GB", timezoneId: "Europe/Berlin", ignoreHTTPSErrors: true } as const;
  const first = await on.newContext(options);
  const published = await first.request.post(desk, { data: "Rowers win gold again" });
  const story = (await published.text()).trim();
  const page = await first.newPage();
  await page.goto(link);
  await page.waitForURL(/\/sites\/[^/]+$/);
  const [site] = page.url().match(/^.*\/sites\/[^/]+/)!;
  const storageState = await first.storageState();
  for (const picture of pictures) {
    const { viewport = { width: 1_280, height: 860 } } = picture;
    const context = await on.newContext({ ...options, storageState, viewport });
    await takePicture(await context.newPage(), site, story, picture);
    await context.close();
    process.stdout.write(`docs/images/${picture.name}.png\n`);
  }
}

async function takePicture(
  page: Page,
  site: string,
  story: string,
  { name, path, shows, prepare }: Picture,
): Promise<void> {
  await page.goto(`${site}${path}`, { waitUntil: "networkidle" });
  await prepare?.(page, story);
  await page.getByText(shows).first().waitFor({ timeout: 90_000 });
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}
