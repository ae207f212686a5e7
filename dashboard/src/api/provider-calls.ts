import type { ProviderRefusalCode } from "../../../src/access/provider/refusals.ts";
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
  if (tab === null)
    throw new ApiError(0, { code: "no_tab", message: "Allow this page to open a tab, then try again." });
  try {
    tab.location.href = (await begin({ confirm: true })).url;
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** What people are told of a refusal. `provider`: what the button calls it. */
const refusals: Record<ProviderRefusalCode, (provider: string) => string> = {
  away: () => "The sign-in service does not answer. Try again in a minute, or use your password.",
  declined: () => "The sign-in service did not sign you in, or you went back. Try again, or use your password.",
  failed: (provider) =>
    `The sign-in with ${provider} did not work. Use your password, and tell the person who runs Pressbell.`,
  expired: () => "This sign-in took over ten minutes, was begun in another browser, or is done. Try again.",
  unverified: (provider) => `Your account with ${provider} has no confirmed e-mail address. Confirm it there first.`,
  unknown: () =>
    "No account here has your e-mail address. Ask an owner for an invitation and open its link; then this works, too.",
  linked: () =>
    "The account with your e-mail address is linked to another person. Ask an owner for a password link: it ends that.",
  other: () => "You signed in as another person. Close this tab, and try again as yourself.",
  old: () => "You were not asked to sign in again, so this does not count. Close this tab, and use your password.",
  limited: () => "These were many tries. Wait a minute, then try again.",
};

/** Reads how a sign-in by the provider ended, from the fragment of the page's URL. Null when there is none. */
export function providerOutcome(hash: string, provider: string): { confirmed: true } | { refused: ApiError } | null {
  const code = /^#?provider=(\w+)$/.exec(hash)?.[1];
  if (code === undefined) return null;
  if (code === "confirmed") return { confirmed: true };
  const words = Object.hasOwn(refusals, code) ? refusals[code as ProviderRefusalCode] : refusals.failed;
  return { refused: new ApiError(0, { code, message: words(provider) }) };
}
