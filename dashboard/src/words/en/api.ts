import type { Text } from "../text.ts";

export const api = {
  // client.ts
  offline: "The service does not answer. Check your connection; nothing was lost, try again when it is back.",
  away: "Pressbell cannot be reached just now. Nothing was lost; try again in a minute.",
  broken: "Something went wrong here. Reload the page and try again.",

  // passkey-calls.ts
  passkeyIsKnown: "This device has a passkey for your account already.",
  noPasskeyUsed: "The browser used no passkey. Try again, or use your password.",

  // provider-calls.ts
  allowATab: "Allow this page to open a tab, then try again.",
  provider: {
    away: "The sign-in service does not answer. Try again in a minute, or use your password.",
    declined: "The sign-in service did not sign you in, or you went back. Try again, or use your password.",
    failed: ({ provider }: { provider: Text }) =>
      `The sign-in with ${provider} did not work. Use your password, and tell the person who runs Pressbell.`,
    expired: "This sign-in took over ten minutes, was begun in another browser, or is done. Try again.",
    unverified: ({ provider }: { provider: Text }) =>
      `Your account with ${provider} has no confirmed e-mail address. Confirm it there first.`,
    unknown:
      "No account here has your e-mail address. Ask an owner for an invitation and open its link; then this works, too.",
    linked:
      "The account with your e-mail address is linked to another person. Ask an owner for a password link: it ends that.",
    other: "You signed in as another person. Close this tab, and try again as yourself.",
    old: "The sign-in service did not ask you to sign in again. Close this tab, and use your password.",
    limited: "These were many tries. Wait a minute, then try again.",
  },
};
