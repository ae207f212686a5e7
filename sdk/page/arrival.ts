import { sendReceipts } from "../wire.ts";

const kept = "pressbell.token";

/**
 * A reader who comes from a nudge carries its token in the address. Counts the click, keeps the token for an
 * unsubscribe that follows, and takes it out of the address, so that it is neither shared nor counted again.
 */
export function receiveReader(base: string): void {
  const found = /([?&])pressbell=([\w-]{43})(&|$)/.exec(location.search);
  const token = found?.[2];
  if (!found || !token) return;
  // By hand: URLSearchParams would write the rest of the query anew.
  const search = location.search.replace(found[0], found[3] ? found[1]! : "");
  replaceAddress(location.pathname + search + location.hash);
  try {
    sessionStorage.setItem(kept, token);
  } catch {}
  sendReceipts(base, [{ token, kind: "clicked" }]).catch(() => {});
}

/** The token of the nudge that brought the reader, in this tab. */
export function arrivalToken(): string | undefined {
  try {
    return sessionStorage.getItem(kept) ?? undefined;
  } catch {}
}

/** The token of a test device's link. It stays in the address where the site must be installed first. */
export function testToken(): string | undefined {
  return /^#pressbell-test=(.+)/.exec(location.hash)?.[1];
}

/** Takes the test device's token out of the address: whoever gets it by a shared address would become one too. */
export function forgetTestToken(): void {
  replaceAddress(location.pathname + location.search);
}

function replaceAddress(address: string): void {
  history.replaceState(history.state, "", address);
}
