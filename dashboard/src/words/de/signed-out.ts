import type { signedOut as english } from "../en/signed-out.ts";
import { rich } from "../rich.ts";

export const signedOut: typeof english = {
  // account/sign-in-code.tsx
  yourCode: "Ihr Code",
  openYourAuthenticatorAppAnd:
    "Öffnen Sie Ihre Authenticator-App, und geben Sie den Code ein, den sie für Pressbell anzeigt.",
  code: "Code",
  orOneOfYourRecovery: "Oder einer Ihrer Ersatzcodes. Fehlt beides, fragen Sie, wer Pressbell betreibt.",
  signIn: "Anmelden",
  back: "Zurück",

  // signed-out/sign-in.tsx
  thankYou: "Danke",
  closeThisTabWhatYou: "Schließen Sie diesen Tab. Im anderen geht es weiter.",
  withTheAddressAndPassword: "Mit Adresse und Passwort Ihres Kontos hier.",
  eMailAddress: "E-Mail-Adresse",
  password: "Passwort",
  showThePassword: "Passwort anzeigen",
  signInWithAPasskey: "Mit einem Passkey anmelden",
  signInWith: ({ provider }) => `Mit ${provider} anmelden`,
  forgotYourPassword: "Passwort vergessen?",

  // signed-out/password.tsx
  backToTheSignIn: "Zurück zur Anmeldung",
  askAnOwner: ({ command }) =>
    rich`Fragen Sie die Inhaber:innen Ihrer Publikation, die unter Mitglieder neben Ihrem Namen „Passwort“ finden, oder wer diesen Dienst betreibt: Auf der Befehlszeile druckt ${command} einen Link für Sie.`,
  ifHasAnAccountHere: ({ email }) =>
    `Hat ${email} hier ein Konto, ist ein Link dorthin unterwegs. Er gilt einmal und 24 Stunden lang.`,
  sendMeALink: "Link zusenden",
  chooseANewPassword: "Neues Passwort wählen",
  newPassword: "Neues Passwort",
  atLeast8CharactersYou: "Mindestens 8 Zeichen. Überall sonst werden Sie abgemeldet.",
  setItAndSignIn: "Festlegen und anmelden",

  // signed-out/invitation.tsx
  joinPublisher: ({ tenantName }) => `${tenantName} beitreten`,
  yourInvitation: "Ihre Einladung",
  roles: {
    owner: "Sie werden Inhaber:in: Sie dürfen alles, auch Schlüssel, Mitglieder und Einstellungen verwalten.",
    editor: "Sie werden Redakteur:in: Sie dürfen schreiben, planen, senden und stoppen.",
    viewer: "Sie werden Gast: Sie sehen alles und ändern nichts.",
  },
  rolesOnSites: {
    editor: ({ name }) => `Auf ${name} werden Sie Redakteur:in: Sie dürfen schreiben, planen, senden und stoppen.`,
    viewer: ({ name }) => `Auf ${name} werden Sie Gast: Sie sehen alles.`,
  },
  yourName: "Ihr Name (auch später)",
  yourPassword: "Ihr Passwort",
  chooseAPassword: "Passwort wählen",
  atLeast8Characters: "Mindestens 8 Zeichen",
  joinIt: "Beitreten",

  // signed-out/set-up.tsx
  welcomeLetsSetUpYour: "Willkommen. Richten wir Ihre Publikation ein",
  aMinuteAndYouCan: "Eine Minute, und Sie können den ersten Push senden.",
  agreementOnReadersData: "Vereinbarung über die Daten der Leser:innen",
  iAcceptTheDataProcessing: "Ich nehme die Vereinbarung zur Auftragsverarbeitung für diese Publikation an",
  setUpPressbell: "Pressbell einrichten",
  pressbellIsNotSetUp: "Pressbell ist noch nicht eingerichtet",
  itOpensWithALink: "Es öffnet sich mit einem Link, der einmal gilt.",
  thePersonWhoStartedPressbell: ({ file }) =>
    rich`Wer Pressbell gestartet hat, hat diesen Link: Er wurde beim Start angezeigt und steht auch in der Datei ${file} im Datenordner. Fragen Sie danach, und öffnen Sie ihn in diesem Browser.`,
  youTheOwner: "Sie, Inhaber:in",
  yourPublication: "Ihre Publikation",
  publisher: "Verlag",
  exampleNewsLtd: "Beispiel-Verlag GmbH",
  nameOfTheSite: "Name der Website",
  theExample: "Das Beispiel",
  addressOfTheSite: "Adresse der Website",
  timeZoneOfTheSite: "Zeitzone der Website",

  // signed-out/set-up-done.tsx
  apiKey: "API-Schlüssel",
  yourPublicationIsReady: "Ihre Publikation ist bereit",
  twoThingsToTakeWith: "Zwei Dinge zum Mitnehmen.",
  yourFirstApiKeyIs: "Ihr erster API-Schlüssel wird nur jetzt angezeigt",
  yourCmsSendsWithIt:
    "Damit sendet Ihr CMS. Bewahren Sie ihn auf einem Server auf, nie in einer Webseite. Sie können jederzeit einen anderen erstellen.",
  installOnYourSite: "In Ihre Website einbinden",
  lineForEveryPage: "Zeile für jede Seite",
  intoTheHeadOfEvery: "In den Kopf jeder Seite:",
  workerFile: "Worker-Datei",
  asTheFilePressbellSw: "Als Datei /pressbell-sw.js im Hauptverzeichnis:",
  bothAreUnderIntegrationsWhenever: "Beides steht unter Anbindungen, wann immer Sie es brauchen.",
  openTheDashboard: "Dashboard öffnen",
};
