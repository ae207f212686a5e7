import { arrivalToken } from "../page/arrival.ts";
import { countOutcome, type Site } from "../wire.ts";

const storageKey = "pressbell.outcomes";

/** How long after a click an outcome counts for it. */
const windowMs = 30 * 60_000;

/**
 * A visit that a click began, as the tab stores it: the notification's token, the start, the first page and the names
 * already told.
 */
type ClickVisit = { token: string; fromMs: number; page: string; told: string[] };

/**
 * Tells the service that `name` followed a click on a notification in this tab, once for each click. Does nothing if
 * no click led to this tab, or if the click was more than 30 minutes ago.
 */
export function tellOutcome(site: Site, name: string): void {
  if (!/^[a-z][a-z0-9_]{0,29}$/.test(name)) {
    // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of the page.
    console.warn(`Pressbell: ${name} is no name: a small letter, then at most 29 small letters, digits or _`);
    return;
  }
  const visit = clickVisit();
  if (!visit || visit.told.includes(name)) return;
  keep({ ...visit, told: [...visit.told, name] });
  countOutcome(site, name, visit.token);
}

/** Returns the visit that a click began in this tab within the last 30 minutes. */
export function clickVisit(): ClickVisit | undefined {
  const token = arrivalToken();
  if (!token) return;
  let visit: ClickVisit = { token, fromMs: Date.now(), page: pageOf(), told: [] };
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? "{}");
    if (stored.token === token) visit = stored;
    else keep(visit);
  } catch {}
  return Date.now() - visit.fromMs < windowMs ? visit : undefined;
}

/** Returns the address of this page, without its fragment. */
export const pageOf = () => location.href.replace(/#.*/, "");

function keep(visit: ClickVisit): void {
  sessionStorage.setItem(storageKey, JSON.stringify(visit));
}
