import type { ReactNode } from "react";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const signedOut = {
  // account/sign-in-code.tsx
  yourCode: "Your code",
  openYourAuthenticatorAppAnd: "Open your authenticator app and type the code that it shows for Pressbell.",
  code: "Code",
  orOneOfYourRecovery: "Or one of your recovery codes. Without both, ask the operator.",
  signIn: "Sign in",
  back: "Back",

  // signed-out/sign-in.tsx
  thankYou: "Thank you",
  closeThisTabWhatYou: "Close this tab. What you asked for continues in the other one.",
  withTheAddressAndPassword: "With the address and password of your account here.",
  eMailAddress: "E-mail address",
  password: "Password",
  showThePassword: "Show the password",
  signInWithAPasskey: "Sign in with a passkey",
  signInWith: ({ provider }: { provider: Text }) => `Sign in with ${provider}`,
  forgotYourPassword: "Forgot your password?",

  // signed-out/password.tsx
  backToTheSignIn: "Back to the sign-in",
  askAnOwner: ({ command }: { command: ReactNode }) =>
    rich`Ask an owner of your publication, who finds “Password” beside your name under Members, or the person who runs this service: on its command line ${command} prints a link for you.`,
  ifHasAnAccountHere: ({ email }: { email: Text }) =>
    `If ${email} has an account here, a link is on its way to it. It works once, and for 24 hours.`,
  sendMeALink: "Send me a link",
  chooseANewPassword: "Choose a new password",
  newPassword: "New password",
  atLeast8CharactersYou: "At least 8 characters. You are signed out everywhere else.",
  setItAndSignIn: "Set it and sign in",

  // signed-out/invitation.tsx
  joinPublisher: ({ tenantName }: { tenantName: Text }) => `Join ${tenantName}`,
  yourInvitation: "Your invitation",
  roles: {
    owner: "You will be an owner: you can do everything, and manage keys, members and settings.",
    editor: "You will be an editor: you can write, schedule, send and stop.",
    viewer: "You will be a viewer: you can look at everything and change nothing.",
  },
  rolesOnSites: {
    editor: ({ name }: { name: Text }) => `On ${name} you will be an editor: you can write, schedule, send and stop.`,
    viewer: ({ name }: { name: Text }) => `On ${name} you will be a viewer: you can look at everything.`,
  },
  yourName: "Your name (you can add it later)",
  yourPassword: "Your password",
  chooseAPassword: "Choose a password",
  atLeast8Characters: "At least 8 characters",
  joinIt: "Join",

  // signed-out/set-up.tsx
  welcomeLetsSetUpYour: "Welcome. Let’s set up your publication",
  aMinuteAndYouCan: "A minute, and you can send your first notification.",
  agreementOnReadersData: "Agreement on readers’ data",
  iAcceptTheDataProcessing: "I accept the data processing agreement for this publication",
  setUpPressbell: "Set up Pressbell",
  pressbellIsNotSetUp: "Pressbell is not set up yet",
  itOpensWithALink: "It opens with a link that works once.",
  thePersonWhoStartedPressbell: ({ file }: { file: ReactNode }) =>
    rich`The person who started Pressbell has that link: it was shown at the start, and is also in the file ${file} in the data folder. Ask them for it, and open it in this browser.`,
  youTheOwner: "You, the owner",
  yourPublication: "Your publication",
  publisher: "Publisher",
  exampleNewsLtd: "Example News Ltd",
  nameOfTheSite: "Name of the site",
  theExample: "The Example",
  addressOfTheSite: "Address of the site",
  timeZoneOfTheSite: "Time zone of the site",

  // signed-out/set-up-done.tsx
  apiKey: "API key",
  yourPublicationIsReady: "Your publication is ready",
  twoThingsToTakeWith: "Two things to take with you.",
  yourFirstApiKeyIs: "Your first API key is shown only now",
  yourCmsSendsWithIt:
    "Your CMS sends with it. Keep it on a server, never in a web page. You can always make another one.",
  installOnYourSite: "Install on your site",
  lineForEveryPage: "line for every page",
  intoTheHeadOfEvery: "Into the head of every page:",
  workerFile: "worker file",
  asTheFilePressbellSw: "As the file /pressbell-sw.js at the root:",
  bothAreUnderIntegrationsWhenever: "Both are under Integrations whenever you need them.",
  openTheDashboard: "Open the dashboard",
};
