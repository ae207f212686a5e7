import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** What each browser is called in PATH, the likeliest first. */
const names = {
  firefox: ["firefox-esr", "firefox"],
  chromium: ["chromium", "chromium-browser", "google-chrome"],
};

export type BrowserName = keyof typeof names;

/** The path of a browser's program, or undefined where none is installed. */
export function findBrowser(browser: BrowserName): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names[browser].flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
