import type { members as english } from "../en/members.ts";

export const members: typeof english = {
  // role-of.tsx, site-roles.tsx
  rolesOnSites: "Rollen auf Websites",
  sites: "Websites…",
  rolesOnSitesOf: ({ email }) => `Rollen auf Websites von ${email}`,
  theHigherRoleCounts: "Auf jeder Website gilt die höhere Rolle: diese oder die für den ganzen Verlag.",
  roleOn: ({ name }) => `Rolle auf ${name}`,
  noRole: "Keine",
  roleOnSite: ({ name, role }) => `${name}: ${role}`,
  save: "Speichern",
  cancel: "Abbrechen",

  // password-link-dialog.tsx
  aNewPasswordFor: ({ email }) => `Neues Passwort für ${email}`,
  youGetALinkTo:
    "Sie bekommen einen Link zum Übergeben. Wer ihn öffnet, wählt ein Passwort und wird überall sonst abgemeldet. Bis dahin gilt das bisherige; im Protokoll steht, dass Sie den Link erstellt haben.",
  itIsShownThisOnce: ({ validHours }) =>
    `Er wird nur dieses eine Mal angezeigt, gilt einmal und ${validHours} Stunden lang. Wer ihn hat, kann sich anmelden.`,
  passwordLink: "Passwort-Link",
  close: "Schließen",
  makeTheLink: "Link erstellen",
};
