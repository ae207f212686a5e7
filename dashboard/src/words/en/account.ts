import { plural } from "../plural.ts";
import type { Text } from "../text.ts";

export const account = {
  // delete-account.tsx
  deleteYourAccount: "Delete your account",
  yourSignInsAndDrafts:
    "Your name, address, sign-ins and drafts are deleted. What you have sent stays with the publisher, without your name.",
  deleteIt: "Delete it",
  deleteYourAccountForGood: "Delete your account for good?",
  youAreSignedOutEverywhere: "You are signed out everywhere, and are no member of any publisher any more.",

  // device.ts
  unknownProgram: "An unknown program",
  aProgram: "A program",
  programOn: ({ program, system }: { program: Text; system: Text }) => `${program} on ${system}`,

  // name-form.tsx
  yourName: "Your name",
  othersSeeIt: "Members see it beside your address: in the audit log, at approvals and as the sender.",
  name: "Name",
  saveTheName: "Save the name",
  yourNameIsChanged: "Your name is changed.",

  // passkey.tsx
  notUsedYet: "not used yet",
  lastUsed: ({ when }: { when: Text }) => `last used ${when}`,
  addedAndUsed: ({ when, use }: { when: Text; use: Text }) => `Added ${when}, ${use}`,
  newNameOf: ({ name }: { name: Text }) => `New name of ${name}`,
  rename: "Rename",
  renameName: ({ name }: { name: Text }) => `Rename ${name}`,
  saveNameOf: ({ name }: { name: Text }) => `Save the name of ${name}`,
  save: "Save",
  removeName: ({ name }: { name: Text }) => `Remove ${name}`,
  remove: "Remove",
  removeThisPasskey: "Remove this passkey?",
  signsYouInNoMore: ({ name }: { name: Text }) =>
    `You can no longer sign in with “${name}”. Delete it on the device, too.`,

  // passkeys.tsx
  passkeys: "Passkeys",
  signInWithTheLock:
    "Sign in with the lock of your device, such as a fingerprint, or with a security key: without a password, and without a code. No other website can ask for it.",
  passkeysDoNotWorkAt: "Passkeys do not work at the address of this installation. Its operator can tell why.",
  nameOfANewPasskey: "Name of a new passkey",
  addAPasskey: "Add a passkey",

  // password-form.tsx
  yourPasswordIsChangedOther: "Your password is changed. Other devices are signed out.",
  changeYourPassword: "Change your password",
  youStaySignedInHere: "You stay signed in here, and are signed out everywhere else.",
  presentPassword: "Current password",
  newPassword: "New password, at least 8 characters",
  changeIt: "Change it",
  showThePassword: "Show the password",

  // second-factor.tsx
  authenticatorApp: "Authenticator app",
  besideYourPasswordTheSign:
    "When you sign in, Pressbell also asks for a code from an app on your phone. A stolen password alone then opens nothing.",
  setUpAnApp: "Set up an app",
  forNewOnesSwitchIt: "; for new ones switch it off and on again",
  itIsOn: ({ recoveryCodesLeft, rest }: { recoveryCodesLeft: number; rest: Text }) =>
    `It is on. ${plural(recoveryCodesLeft, "recovery code is", "recovery codes are")} left${rest}.`,
  switchItOff: "Switch it off",
  switchTheAppOff: "Switch off the app?",
  keepIt: "Keep it",
  fromThenOnYourPassword: "From then on your password alone signs you in. The recovery codes end, too.",

  // sessions.tsx
  whereYouAreSignedIn: "Where you are signed in",
  aDeviceIsSignedOut:
    "A device is signed out after a week without use, and after 30 days in any case. Sign out what you do not know, then change your password.",
  signOutAllOthers: "Sign out all others",
  thisOne: "This one",
  lastUsedEndsIfIt: ({ used, ends }: { used: Text; ends: Text }) => `Last used ${used}; ends ${ends} if it is not used`,
  signOutLastUsed: ({ device, used }: { device: Text; used: Text }) => `Sign out ${device}, last used ${used}`,
  signOut: "Sign out",

  // set-up-app.tsx
  scanThisWithAnAuthenticator:
    "Scan this with an authenticator app, or copy the key into it. Then type the six digits that it shows.",
  qrCodeForAnAuthenticator: "QR code for an authenticator app",
  keyForTheApp: "key for the app",
  codeOfTheApp: "Code of the app",
  switchItOn: "Switch it on",
  notNow: "Not now",
  keepTheseRecoveryCodes: "Keep these recovery codes",
  theyAreShownThisOnce:
    "They are shown only once. If you lose the app, each of them replaces the code once. Print them, or keep them in a password manager.",
  recoveryCodes: "recovery codes",
  iHaveKeptThem: "I have kept them",
};
