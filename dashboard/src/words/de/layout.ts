import type { layout as english } from "../en/layout.ts";
import { plural } from "../plural.ts";

export const layout: typeof english = {
  // app-layout.tsx
  overviewOf: ({ name }) => `${name}, Überblick`,
  goToTheContent: "Zum Inhalt",
  menu: "Menü",
  thereIsNoSuchSite: "Diese Website gibt es hier nicht",
  goToYourSites: "Zu Ihren Websites",
  itDoesNotExistOr: "Es gibt sie nicht, oder Sie haben dort keine Rolle.",
  secondFactorMissing: ({ name }) => `${name} verlangt einen zweiten Faktor`,
  setUpASecondFactor:
    "Richten Sie unter „Ihr Konto“ eine Authentifizierungs-App ein, oder melden Sie sich mit einem Passkey an.",
  toYourAccount: "Ihr Konto",
  signInByProvider: ({ name }) => `Melden Sie sich bei ${name} mit Single Sign-on an`,
  yourRoleIsFromProvider: "Ihre Rolle dort kommt daher. Melden Sie sich ab, und damit wieder an.",
  youAreNotAMember: "Sie sind in keinem Verlag Mitglied",
  youHaveNoSite: ({ name }) => `Sie haben auf keiner Website von ${name} eine Rolle`,
  askAnOwnerForARole: "Bitten Sie die Inhaber:innen um eine Rolle, und laden Sie dann diese Seite neu.",
  askAnOwnerOfYour:
    "Bitten Sie die Inhaber:innen Ihrer Publikation um eine Einladung, und laden Sie dann diese Seite neu.",

  // ask-password.tsx
  isItYou: "Sind Sie es?",
  youSignedInAWhile: "Ihre Anmeldung ist eine Weile her. Geben Sie Ihr Passwort noch einmal ein, um fortzufahren.",
  yourPassword: "Ihr Passwort",
  showThePassword: "Passwort anzeigen",
  useAPasskey: "Passkey benutzen",
  cancel: "Abbrechen",
  goOn: "Weiter",
  proveBy: ({ provider }) => `${provider} benutzen`,

  // keys.ts
  ctrl: "Strg",

  // pending-bar.tsx
  undo: "Rückgängig",
  openIt: "Ansehen",
  close: "Schließen",
  itWasNotTakenBack: "Nicht zurückgenommen: Der Dienst antwortet nicht. Versuchen Sie es noch einmal.",
  theConnectionToTheService:
    "Die Verbindung zu Pressbell ist unterbrochen. Der Versand beginnt trotzdem zu seiner Zeit.",
  undoneNoReaderGot: "Zurückgenommen. Niemand hat den Push bekommen.",
  sent: "Gesendet.",
  notSent: ({ why }) => `Nicht gesendet. ${why}`,
  startingTheSend: "Der Versand beginnt…",
  sendingIn: ({ people, seconds }) => `Versand an ${people} in ${seconds} s`,

  sendingAtSitesIn: ({ people, sites, seconds }) =>
    `Versand an ${people} von ${plural(sites, "Website", "Websites")} in ${seconds} s`,

  // recent-sign-in.tsx
  thisWasNotDoneBecause: "Das ist nicht geschehen, denn dafür ist Ihr Passwort nötig.",

  // service-notice.tsx
  pressbellDoesNotAnswer: "Pressbell antwortet nicht",
  yourConnectionIsGoneOr:
    "Ihre Verbindung ist unterbrochen, oder Pressbell startet gerade neu. Was Sie schreiben, bleibt in diesem Browser, und diese Seite macht von selbst weiter.",
  thereIsANewVersion: "Es gibt eine neue Version",
  reloadThisPageToUse: "Laden Sie diese Seite neu, um sie zu benutzen. Was Sie geschrieben haben, bleibt.",
  reload: "Neu laden",

  // shortcuts.tsx
  find: "Suchen",

  // side-bar.tsx
  pages: "Seiten",
  compose: "Schreiben",

  // site-pages.ts
  overview: "Überblick",
  campaigns: "Kampagnen",
  calendar: "Kalender",
  feeds: "Feeds",
  subscribers: "Abos",
  integrations: "Anbindungen",
  members: "Mitglieder",
  settings: "Einstellungen",

  // user-menu.tsx
  yourAccount: "Ihr Konto",
  darkColours: "Dunkle Farben",
  lightColours: "Helle Farben",
  signOut: "Abmelden",
};
