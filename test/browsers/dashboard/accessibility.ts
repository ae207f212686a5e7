import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

declare const window: { axe: typeof axe };

/** Returns the violations of WCAG 2.2 AA that axe finds on a page, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The script is evaluated through the debugger, because the page's content security policy does not apply there.
  await page.evaluate(await source);
  const found = await page.evaluate((values) => window.axe.run({ runOnly: { type: "tag", values } }), levels);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary?.replace(/\s+/g, " ") ?? ""}`),
  );
}
