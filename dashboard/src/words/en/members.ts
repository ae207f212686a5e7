import type { Text } from "../text.ts";

export const members = {
  // password-link-dialog.tsx
  aNewPasswordFor: ({ email }: { email: Text }) => `A new password for ${email}`,
  youGetALinkTo:
    "You get a link to hand over. The person who opens it chooses a password and is signed out everywhere else. The current password works until then; the audit log says that you made the link.",
  itIsShownThisOnce: ({ validHours }: { validHours: Text }) =>
    `It is shown only once, and works once within ${validHours} hours. Anyone who has it can sign in.`,
  passwordLink: "password link",
  close: "Close",
  makeTheLink: "Make the link",
};
