const storageKey = "pressbell-setup";

/**
 * Moves the token of the set-up link, `?setup=TOKEN`, from the address bar to the storage of this tab, because
 * addresses are copied, bookmarked and kept in the history. Call it before the router reads the address.
 */
export function takeSetUpToken(): void {
  const url = new URL(location.href);
  const token = url.searchParams.get("setup");
  if (token === null) return;
  sessionStorage.setItem(storageKey, token);
  url.searchParams.delete("setup");
  history.replaceState(null, "", url);
}

/** Returns the token of the set-up link that opened this tab, or "". */
export function setUpToken(): string {
  return sessionStorage.getItem(storageKey) ?? "";
}

/** Forgets the token, which works only once. */
export function forgetSetUpToken(): void {
  sessionStorage.removeItem(storageKey);
}
