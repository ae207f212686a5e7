import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { findBrowser } from "../../fixtures/browsers/executables.ts";
import { afterFile } from "../../fixtures/cleanup.ts";

type Options = Parameters<typeof chromium.launchPersistentContext>[1];

/** A Chromium with a profile of its own (in a private one service workers get no pushes), until the file's last test has ended. */
export async function openChromium({ args = [], ...options }: NonNullable<Options> = {}): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), "pressbell-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser("chromium")!,
    args: ["--no-sandbox", ...args],
    ...options,
  });
  afterFile(async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  });
  return context;
}
