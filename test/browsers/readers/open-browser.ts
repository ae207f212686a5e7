import { beforeAll, describe } from "vitest";
import type { Browser } from "../../fixtures/browsers/browser.ts";
import type { Preferences } from "../../fixtures/browsers/firefox/preferences.ts";
import { installedBrowsers } from "../../fixtures/browsers/installed-browsers.ts";
import { afterFile } from "../../fixtures/cleanup.ts";
import { type BrowserFixture, openBrowserFixture, type TenantFixture } from "../fixture.ts";
import { createReader, type Reader } from "./reader.ts";

/** The service and the browser. All suites of a file share them, because they take seconds to start. */
export let fixture: BrowserFixture;
export let browser: Browser;

/** The newest website, and its reader. */
export let tenant: TenantFixture;
export let reader: Reader;

/** Creates a website that the browser has not visited, and a reader of it. */
export async function newReader(): Promise<void> {
  tenant = await fixture.createTenant();
  reader = await createReader(fixture, tenant, browser);
}

type Suites = Record<string, (name: string) => void>;

/**
 * Runs the suites in one browser. Each begins with an empty desktop and one empty tab. For a missing browser no tests
 * are defined. `preferences` are those of Firefox.
 */
export function testInBrowser(name: string, suites: Suites, preferences?: Preferences): void {
  const kind = installedBrowsers().find((installed) => installed.name === name);
  describe.runIf(kind)(name, () => {
    beforeAll(async () => {
      fixture = await openBrowserFixture();
      browser = await kind!.start(fixture.pushService, preferences);
      afterFile(browser.close);
    });
    for (const [title, suite] of Object.entries(suites)) {
      describe(title, () => {
        beforeAll(clear);
        suite(name);
      });
    }
  });
}

async function clear(): Promise<void> {
  for (const { title } of await browser.nudges()) await browser.dismiss(title);
  await browser.closeTabs();
  await browser.open("about:blank");
}
