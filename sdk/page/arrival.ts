import { clicksOf, sendReceipts } from "../wire.ts";

const storageKey = "pressbell.token";

/**
 * Handles a reader who arrives from a notification, whose token is in the address: reports the click, stores the token
 * for a later unsubscribe in this tab, and removes it from the address, so that it is neither shared nor counted again.
 */
export function recordArrival(base: string): void {
  // The number of a button follows the token.
  const found = /([?&])pressbell=([\w-]{43})([12]?)(&|$)/.exec(location.search);
  const token = found?.[2];
  if (!found || !token) return;
  // Not with URLSearchParams, which would re-encode the rest of the query.
  const search = location.search.replace(found[0], found[4] ? found[1]! : "");
  replaceAddress(location.pathname + search + location.hash);
  try {
    sessionStorage.setItem(storageKey, token);
  } catch {}
  sendReceipts(base, clicksOf(token, found[3])).catch(() => {});
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
  replaceAddress(location.pathname + location.search);
}

function replaceAddress(address: string): void {
  history.replaceState(history.state, "", address);
}
