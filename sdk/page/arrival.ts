import { clicksOf, sendReceipts } from "../wire.ts";

const storageKey = "pressbell.token";

/**
 * Handles a reader who arrives from a notification, whose token is at the end of the address's fragment: reports the
 * click, stores the token for a later unsubscribe in this tab, and removes it from the address, so that it is neither
 * shared nor counted again.
 */
export function recordArrival(base: string): void {
  const { hash } = location;
  // The number of a button follows the token, or 0 for a click that the worker reports. Browsers that do not know text
  // directives leave them in the fragment.
  const found = /[#?&-]pressbell-([\w-]{43})([012]?)(:~:|$)/.exec(hash);
  if (!found) return;
  const [, token, button] = found;
  const rest = hash.slice(0, found.index);
  const { state } = history;
  // The browser scrolls there, and a script that shows what the fragment names hears of it.
  if (rest) location.replace(withFragment(rest));
  history.replaceState(state, "", withFragment(rest));
  try {
    sessionStorage.setItem(storageKey, token!);
  } catch {}
  if (button !== "0") sendReceipts(base, clicksOf(token!, button)).catch(() => {});
}

/** Returns the token of the notification through which the reader arrived in this tab. */
export function arrivalToken(): string | undefined {
  try {
    return sessionStorage.getItem(storageKey) ?? undefined;
  } catch {}
}

/** Returns the token in the link of a test device. It stays in the address while the site has to be installed first. */
export function testToken(): string | undefined {
  return /^#pressbell-test=(.+)/.exec(location.hash)?.[1];
}

/** Removes the test device's token from the address: readers of a shared address would become test devices too. */
export function removeTestToken(): void {
  history.replaceState(history.state, "", withFragment(""));
}

/** The whole address: a path would be taken as one of the page's `<base>`. */
function withFragment(fragment: string): string {
  return location.href.replace(/#.*/, fragment);
}
