import type { ProviderRefusalCode } from "../../../src/access/provider/refusals.ts";
import { words } from "../words/words.ts";
import { api } from "./address.ts";
import { ApiError, call } from "./client.ts";

const begin = (body: { next?: string; confirm?: boolean }) =>
  call<{ url: string }>("POST", `${api}/auth/provider/begin`, { body });

/** Leaves this page for the provider, which sends the browser back to `next`. */
export async function signInByProvider(next: string): Promise<void> {
  location.assign((await begin({ next })).url);
}

/** Opens the provider in another tab, where signed-in people prove again who they are. */
export async function confirmByProvider(): Promise<void> {
  // The tab is opened before the request, because browsers block a tab that opens long after the click.
  const tab = window.open("", "_blank");
  if (tab === null) throw new ApiError(0, { code: "no_tab", message: words.api.tabBlocked });
  try {
    tab.location.href = (await begin({ confirm: true })).url;
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** Returns the message for a refusal. `provider`: the provider's name on the button. */
function wordsOf(code: string, provider: string): string {
  // This type makes the compiler require words for each code.
  const refusals: Record<ProviderRefusalCode, string | ((of: { provider: string }) => string)> = words.api.provider;
  const said = Object.hasOwn(refusals, code) ? refusals[code as ProviderRefusalCode] : words.api.provider.failed;
  return typeof said === "string" ? said : said({ provider });
}

/**
 * Returns how a sign-in by the provider ended, from the fragment of the page's URL. Null if there was no such
 * sign-in.
 */
export function providerOutcome(hash: string, provider: string): { confirmed: true } | { refused: ApiError } | null {
  const code = /^#?provider=(\w+)$/.exec(hash)?.[1];
  if (code === undefined) return null;
  if (code === "confirmed") return { confirmed: true };
  return { refused: new ApiError(0, { code, message: wordsOf(code, provider) }) };
}
