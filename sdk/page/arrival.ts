import { clicksOf, sendReceipts } from "../wire.ts";

const storageKey = "pressbell.token";

/**
 * Handles a reader who arrives from a notification. The notification's token is at the end of the address's fragment.
 * Reports the click and stores the token for a later unsubscribe in this tab. Removes the token from the address, so
 * that it is neither shared nor counted again.
 */
export function recordArrival(base: string): void {
  const { hash } = location;
  // After the token comes the number of a button, or 0 for a click that the worker reports. Browsers that do not know
  // text directives leave them in the fragment.
  const found = /[#?&-]pressbell-([\w-]{43})([012]?)(:~:|$)/.exec(hash);
  if (!found) return;
  const [, token, button] = found;
  const rest = hash.slice(0, found.index);
  const { state } = history;
  // `replace` makes the browser scroll to the rest of the fragment, and tells scripts of the page that the fragment
  // changed.
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

/**
 * Returns the token in the link of a test device. The token stays in the address while the site still has to be
 * installed.
 */
export function testToken(): string | undefined {
  return /^#pressbell-test=(.+)/.exec(location.hash)?.[1];
}

/** Removes the test device's token from the address, so that readers of a shared address do not become test devices. */
export function removeTestToken(): void {
  history.replaceState(history.state, "", withFragment(""));
}

/** Returns the whole address with this fragment. A relative address would be resolved against the page's `<base>`. */
function withFragment(fragment: string): string {
  return location.href.replace(/#.*/, fragment);
}
