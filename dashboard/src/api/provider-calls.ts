import type { ProviderRefusalCode } from "../../../src/access/provider/refusals.ts";
import { words } from "../words/words.ts";
import { ApiError, call } from "./client.ts";

const begin = (body: { next?: string; confirm?: boolean }) =>
  call<{ url: string }>("POST", "/dashboard/api/auth/provider/begin", { body });

/** Leaves this page for the provider, which sends the browser back to `next`. */
export async function signInByProvider(next: string): Promise<void> {
  location.assign((await begin({ next })).url);
}

/** Opens the provider in another tab, where the signed-in person proves anew who they are. */
export async function confirmByProvider(): Promise<void> {
  // Before the answer: browsers block a tab that opens long after the click.
  const tab = window.open("", "_blank");
  if (tab === null) throw new ApiError(0, { code: "no_tab", message: words.api.allowATab });
  try {
    tab.location.href = (await begin({ confirm: true })).url;
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** What people are told of a refusal. `provider`: what the button calls it. */
function wordsOf(code: string, provider: string): string {
  // Each code has its place: the compiler asks for it.
  const refusals: Record<ProviderRefusalCode, string | ((of: { provider: string }) => string)> = words.api.provider;
  const said = Object.hasOwn(refusals, code) ? refusals[code as ProviderRefusalCode] : words.api.provider.failed;
  return typeof said === "string" ? said : said({ provider });
}

/** Reads how a sign-in by the provider ended, from the fragment of the page's URL. Null when there is none. */
export function providerOutcome(hash: string, provider: string): { confirmed: true } | { refused: ApiError } | null {
  const code = /^#?provider=(\w+)$/.exec(hash)?.[1];
  if (code === undefined) return null;
  if (code === "confirmed") return { confirmed: true };
  return { refused: new ApiError(0, { code, message: wordsOf(code, provider) }) };
}
