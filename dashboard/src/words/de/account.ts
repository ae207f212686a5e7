import type { account as english } from "../en/account.ts";
import { plural } from "../plural.ts";

export const account: typeof english = {
  // delete-account.tsx
  deleteYourAccount: "Ihr Konto löschen",
  yourSignInsAndDrafts:
    "Ihr Name, Ihre Adresse, Ihre Anmeldungen und Entwürfe werden gelöscht. Was Sie gesendet haben, bleibt beim Verlag, ohne Ihren Namen.",
  deleteIt: "Löschen",
  deleteYourAccountForGood: "Ihr Konto endgültig löschen?",
  youAreSignedOutEverywhere: "Sie werden überall abgemeldet und sind bei keinem Verlag mehr Mitglied.",

  // device.ts
  unknownProgram: "Ein unbekanntes Programm",
  aProgram: "Ein Programm",
  programOn: ({ program, system }) => `${program} auf ${system}`,

  // name-form.tsx
  yourName: "Ihr Name",
  othersSeeIt: "Mitglieder sehen ihn neben Ihrer Adresse: im Protokoll, bei Freigaben und wenn Sie gesendet haben.",
  name: "Name",
  saveTheName: "Namen speichern",
  yourNameIsChanged: "Ihr Name ist geändert.",

  // passkey.tsx
  notUsedYet: "noch nicht benutzt",
  lastUsed: ({ when }) => `zuletzt benutzt ${when}`,
  addedAndUsed: ({ when, use }) => `Hinzugefügt ${when}, ${use}`,
  newNameOf: ({ name }) => `Neuer Name von ${name}`,
  rename: "Umbenennen",
  renameName: ({ name }) => `${name} umbenennen`,
  saveNameOf: ({ name }) => `Namen von ${name} speichern`,
  save: "Speichern",
  removeName: ({ name }) => `${name} entfernen`,
  remove: "Entfernen",
  removeThisPasskey: "Diesen Passkey entfernen?",
  signsYouInNoMore: ({ name }) =>
    `Mit „${name}“ können Sie sich dann nicht mehr anmelden. Löschen Sie ihn auch auf dem Gerät.`,

  // passkeys.tsx
  passkeys: "Passkeys",
  signInWithTheLock:
    "Melden Sie sich mit der Sperre Ihres Geräts an, etwa mit dem Fingerabdruck, oder mit einem Sicherheitsschlüssel: ohne Passwort und ohne Code. Keine andere Website kann danach fragen.",
  passkeysDoNotWorkAt:
    "Passkeys funktionieren an der Adresse dieser Installation nicht. Wer sie betreibt, kann den Grund nennen.",
  nameOfANewPasskey: "Name eines neuen Passkeys",
  addAPasskey: "Passkey hinzufügen",

  // password-form.tsx
  yourPasswordIsChangedOther: "Ihr Passwort ist geändert. Andere Geräte sind abgemeldet.",
  changeYourPassword: "Passwort ändern",
  youStaySignedInHere: "Hier bleiben Sie angemeldet, überall sonst werden Sie abgemeldet.",
  presentPassword: "Bisheriges Passwort",
  newPassword: "Neues Passwort, mindestens 8 Zeichen",
  changeIt: "Ändern",
  showThePassword: "Passwort anzeigen",

  // second-factor.tsx
  authenticatorApp: "Authentifizierungs-App",
  besideYourPasswordTheSign:
    "Bei der Anmeldung fragt Pressbell auch nach einem Code aus einer App auf Ihrem Telefon. Ein gestohlenes Passwort allein öffnet dann nichts.",
  setUpAnApp: "App einrichten",
  forNewOnesSwitchIt: "; für neue schalten Sie es aus und wieder ein",
  itIsOn: ({ recoveryCodesLeft, rest }) =>
    `Eingeschaltet. Noch ${plural(recoveryCodesLeft, "Ersatzcode", "Ersatzcodes")}${rest}.`,
  switchItOff: "Ausschalten",
  switchTheAppOff: "Die App ausschalten?",
  keepIt: "Eingeschaltet lassen",
  fromThenOnYourPassword: "Ab dann genügt zur Anmeldung Ihr Passwort. Auch die Ersatzcodes gelten nicht mehr.",

  // sessions.tsx
  whereYouAreSignedIn: "Wo Sie angemeldet sind",
  aDeviceIsSignedOut:
    "Ein Gerät wird nach einer Woche ohne Benutzung abgemeldet, spätestens nach 30 Tagen. Melden Sie ab, was Sie nicht kennen, und ändern Sie dann Ihr Passwort.",
  signOutAllOthers: "Alle anderen abmelden",
  thisOne: "Dieses",
  lastUsedEndsIfIt: ({ used, ends }) => `Zuletzt benutzt ${used}; endet ohne Benutzung ${ends}`,
  signOutLastUsed: ({ device, used }) => `${device}, zuletzt benutzt ${used}, abmelden`,
  signOut: "Abmelden",

  // set-up-app.tsx
  scanThisWithAnAuthenticator:
    "Scannen Sie dies mit einer Authenticator-App, oder kopieren Sie den Schlüssel dorthin. Geben Sie dann die sechs Ziffern ein, die sie anzeigt.",
  qrCodeForAnAuthenticator: "QR-Code für eine Authenticator-App",
  keyForTheApp: "Schlüssel für die App",
  codeOfTheApp: "Code der App",
  switchItOn: "Einschalten",
  notNow: "Nicht jetzt",
  keepTheseRecoveryCodes: "Bewahren Sie diese Ersatzcodes auf",
  theyAreShownThisOnce:
    "Sie werden nur dieses eine Mal angezeigt. Wenn Sie die App verlieren, ersetzt jeder einmal den Code. Drucken Sie sie aus, oder legen Sie sie in einen Passwortmanager.",
  recoveryCodes: "Ersatzcodes",
  iHaveKeptThem: "Ich habe sie aufbewahrt",
};
