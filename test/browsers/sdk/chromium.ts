import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { findBrowser } from "../../fixtures/browsers/executables.ts";
import { afterFile } from "../../fixtures/cleanup.ts";

type Options = Parameters<typeof chromium.launchPersistentContext>[1];

/**
 * Opens Chromium with a new profile, until the file's last test has ended. The context is not incognito, because
 * service workers get no pushes there.
 */
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
