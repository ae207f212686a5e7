import type { members as english } from "../en/members.ts";

export const members: typeof english = {
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
