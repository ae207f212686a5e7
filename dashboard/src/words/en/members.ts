import type { Text } from "../text.ts";

export const members = {
  // role-of.tsx, site-roles.tsx
  rolesOnSites: "Roles on sites",
  sites: "Sites…",
  rolesOnSitesOf: ({ email }: { email: Text }) => `Roles on sites of ${email}`,
  theHigherRoleCounts: "On each site the higher role counts: this one, or the role for the whole publisher.",
  roleOn: ({ name }: { name: Text }) => `Role on ${name}`,
  noRole: "None",
  roleOnSite: ({ name, role }: { name: Text; role: Text }) => `${name}: ${role}`,
  save: "Save",
  cancel: "Cancel",

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
