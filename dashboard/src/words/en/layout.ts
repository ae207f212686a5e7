import { plural } from "../plural.ts";
import type { Text } from "../text.ts";

export const layout = {
  // app-layout.tsx
  overviewOf: ({ name }: { name: Text }) => `${name}, overview`,
  goToTheContent: "Go to the content",
  menu: "Menu",
  thereIsNoSuchSite: "There is no such site here",
  goToYourSites: "Go to your sites",
  itDoesNotExistOr: "It does not exist, or you have no role there.",
  secondFactorMissing: ({ name }: { name: Text }) => `${name} requires a second factor`,
  setUpASecondFactor: "Set up an authenticator app under Your account, or sign in with a passkey.",
  toYourAccount: "Your account",
  signInByProvider: ({ name }: { name: Text }) => `Sign in to ${name} by single sign-on`,
  yourRoleIsFromProvider: "Your role there comes from it. Sign out, and sign in with it.",
  youAreNotAMember: "You are not a member of a publisher",
  youHaveNoSite: ({ name }: { name: Text }) => `You have no role on any site of ${name}`,
  askAnOwnerForARole: "Ask an owner to give you one, then reload this page.",
  askAnOwnerOfYour: "Ask an owner of your publication for an invitation, then reload this page.",

  // ask-password.tsx
  isItYou: "Is it you?",
  youSignedInAWhile: "You signed in a while ago. Enter your password again to continue.",
  yourPassword: "Your password",
  showThePassword: "Show the password",
  useAPasskey: "Use a passkey",
  cancel: "Cancel",
  goOn: "Continue",
  proveBy: ({ provider }: { provider: Text }) => `Use ${provider}`,

  // keys.ts
  ctrl: "Ctrl",

  // pending-bar.tsx
  undo: "Undo",
  openIt: "Open it",
  close: "Close",
  itWasNotTakenBack: "It was not taken back: the service does not answer. Try again.",
  theConnectionToTheService: "The connection to Pressbell is lost. The send still starts at its time.",
  undoneNoReaderGot: "Undone. No reader got it.",
  sent: "Sent.",
  notSent: ({ why }: { why: Text }) => `Not sent. ${why}`,
  startingTheSend: "Starting the send…",
  sendingIn: ({ people, seconds }: { people: Text; seconds: Text }) => `Sending to ${people} in ${seconds} s`,

  sendingAtSitesIn: ({ people, sites, seconds }: { people: Text; sites: number; seconds: Text }) =>
    `Sending to ${people} of ${plural(sites, "site")} in ${seconds} s`,

  // recent-sign-in.tsx
  thisWasNotDoneBecause: "This was not done, because it needs your password.",

  // service-notice.tsx
  pressbellDoesNotAnswer: "Pressbell does not answer",
  yourConnectionIsGoneOr:
    "Your connection is gone, or Pressbell is being restarted. What you type is kept in this browser, and this page goes on by itself.",
  thereIsANewVersion: "There is a new version",
  reloadThisPageToUse: "Reload this page to use it. What you have typed is kept.",
  reload: "Reload",

  // shortcuts.tsx
  find: "Find",

  // side-bar.tsx
  pages: "Pages",
  compose: "Compose",

  // site-pages.ts
  overview: "Overview",
  campaigns: "Campaigns",
  calendar: "Calendar",
  feeds: "Feeds",
  subscribers: "Subscribers",
  integrations: "Integrations",
  members: "Members",
  settings: "Settings",

  // user-menu.tsx
  yourAccount: "Your account",
  darkColours: "Dark colours",
  lightColours: "Light colours",
  signOut: "Sign out",
};
