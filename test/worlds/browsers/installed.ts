import type { PushService } from "../push-service/push-service.ts";
import type { Browser } from "./browser.ts";
import { startChromium } from "./chromium/chromium.ts";
import { hasDesktop } from "./chromium/desktop.ts";
import { findBrowser } from "./executables.ts";
import { startFirefox } from "./firefox/firefox.ts";

export type BrowserKind = { name: string; start(pushService: PushService): Promise<Browser> };

type Wanted = BrowserKind & { isThere(): boolean; packages: string };

const wanted: Wanted[] = [
  {
    name: "Firefox",
    start: startFirefox,
    isThere: () => findBrowser("firefox") !== undefined,
    packages: "firefox-esr",
  },
  {
    name: "Chromium",
    start: startChromium,
    isThere: () => findBrowser("chromium") !== undefined && hasDesktop(),
    packages: "chromium dbus-daemon python3-dbus python3-gi",
  },
];

/** The kinds of browser that this machine can run as receivers. */
export function installedBrowsers(): BrowserKind[] {
  return wanted.filter(({ isThere }) => isThere());
}

/** The Debian packages of those that are missing; empty where none is. */
export function missingPackages(): string[] {
  return wanted.filter(({ isThere }) => !isThere()).map(({ packages }) => packages);
}
