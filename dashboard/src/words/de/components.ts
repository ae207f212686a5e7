import type { components as english } from "../en/components.ts";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";

export const components: typeof english = {
  // confirm.tsx
  keepIt: "Behalten",

  // class names, where a site has none of its own
  classes: { breaking: "Eilmeldung", normal: "Normal", low: "Weniger wichtig" },

  // copy.tsx
  copy: "Kopieren",
  copied: "Kopiert",
  copyIt: ({ label }) => `${label} kopieren`,
  copiedIt: ({ label }) => `${label}: kopiert`,

  // filter-fields.tsx
  another: "Andere",

  // form-error.tsx
  correctWhatIsMarked: "Berichtigen Sie, was markiert ist, und versuchen Sie es noch einmal.",

  // growth-chart.tsx
  growth: ({ days, joined, left }) =>
    `In den letzten ${days} Tagen kamen ${plural(joined, "Abo", "Abos")} hinzu, und ${plural(left, "Abo ging", "Abos gingen")}.`,
  joined: "Neu",
  left: "Gegangen",

  // link-token.tsx
  linkIsIncomplete: "Dieser Link ist unvollständig",
  copyItAgain: "Kopieren Sie ihn noch einmal aus der Nachricht, ganz bis zum Ende.",

  // nudge-extras.tsx
  aButton: ({ title, link }) => rich`Knopf „${title}“ öffnet ${link}`,
  withoutSound: "Ohne Ton und Vibration",
  staysUntilTheyAct: "Bleibt stehen, bis der Leser etwas tut",

  // numbers.ts
  over: ({ count }) => `über ${count}`,
  people: ({ n }) => plural(n, "Person", "Personen"),
  overPeople: ({ count }) => `über ${count} Personen`,

  // open-approval-requests.tsx
  waitsForASecondPerson: "Wartet auf eine zweite Person",
  askedBy: ({ people, person, ends }) => `${people}, angefragt von ${person}, endet ${ends}`,

  // outcome-bar.tsx
  removedSite: "Eine entfernte Website",
  outcomes: {
    accepted: { label: "Angenommen", explanation: "Vom Push-Dienst angenommen" },
    gone: { label: "Abgemeldet", explanation: "Nicht mehr abonniert und jetzt entfernt" },
    failed: { label: "Gescheitert", explanation: "Vom Push-Dienst abgelehnt" },
    expired: { label: "Abgelaufen", explanation: "Die Zeit war vorher um" },
    unknown: { label: "Ungewiss", explanation: "Vielleicht angenommen: Die Verbindung brach ab" },
    notSent: { label: "Nicht gesendet", explanation: "Vorher gestoppt" },
  },
  nothingSentYet: "noch nichts gesendet",

  // picture-fault.tsx
  pictureIsMissing: ({ link }) =>
    rich`Das Bild lädt nicht: Seine Adresse antwortet nicht, ist kein Bild oder bedient nur die eigene Website. Der Push geht ohne es hinaus. ${link}`,
  pictureIsNotHttps: ({ link }) =>
    rich`Das Bild lädt nicht: Seine Adresse muss mit https:// beginnen. Der Push geht ohne es hinaus. ${link}`,
  openItsAddress: "Seine Adresse öffnen",

  // receipt-summary.tsx
  receipts: ({ clicked, share, displayed }) => `${clicked} geklickt (${share}) · ${displayed} angezeigt`,

  // recent-sends.tsx
  nothingWentOutYet: "Noch wurde nichts gesendet. Was Sie senden, erscheint hier mit seiner Wirkung.",
  reachedOf: ({ accepted, audience }) => `${accepted} von ${audience}`,

  // states.tsx
  close: "Schließen",
  thatDidNotWork: "Das hat nicht geklappt",
  request: ({ requestId }) => `Anfrage ${requestId}`,
  tryAgain: "Noch einmal",
  loading: "Lädt",

  // status-badge.tsx
  statuses: {
    draft: "Entwurf",
    scheduled: "Geplant",
    sending: "Läuft",
    sent: "Gesendet",
    stopped: "Gestoppt",
    cancelled: "Abgesagt",
    failed: "Gescheitert",
  },

  // times.tsx
  underASecond: "unter einer Sekunde",
  seconds: ({ s }) => `${s} s`,
  minutes: ({ min }) => `${min} Min.`,
  minutesAndSeconds: ({ min, s }) => `${min} Min. ${s} s`,
  hoursAndMinutes: ({ h, min }) => `${h} Std. ${min} Min.`,
  justNow: "gerade eben",
  withinAMinute: "in weniger als einer Minute",
  whereReadersAre: ({ when }) => `${when}, Ortszeit der Abos`,

  // who.ts: the actor, at the beginning of a line and within a sentence.
  actors: {
    begin: {
      user: "Jemand, dessen Konto es nicht mehr gibt",
      keyOf: ({ name }) => `API-Schlüssel ${name}`,
      feedOf: ({ name }) => `Feed ${name}`,
      nameless: "(gelöscht)",
      operator: "Die Befehlszeile",
      schedule: "Der Zeitplan",
      recurring: "Ein regelmäßiger Push",
      reader: "Browser der Leser:innen",
      stranger: "Jemand ohne Anmeldung",
      provider: "Single Sign-on",
    },
    within: {
      user: "jemandem, dessen Konto es nicht mehr gibt",
      keyOf: ({ name }) => `dem API-Schlüssel ${name}`,
      feedOf: ({ name }) => `dem Feed ${name}`,
      nameless: "(gelöscht)",
      operator: "der Befehlszeile",
      schedule: "dem Zeitplan",
      recurring: "einem regelmäßigen Push",
      reader: "Browsern der Leser:innen",
      stranger: "jemandem ohne Anmeldung",
      provider: "dem Single Sign-on",
    },
  },

  // reasons.tsx
  effects: { blocks: "Dagegen", lowers: "Weniger gut", raises: "Gut", informs: "Zu wissen" },

  // worth.ts
  betterNot: "Besser nicht",
  worthSending: "Lohnt sich",
  worthASecondLook: "Noch einmal ansehen",
  hardlyWorthSending: "Lohnt sich kaum",

  // pages/not-found.tsx
  thereIsNoSuchPage: "Diese Seite gibt es nicht",
  goToTheOverview: "Zum Überblick",
  theAddressMayBeCut: "Vielleicht ist die Adresse abgeschnitten oder vertippt.",

  // pages/broken.tsx
  thisPageCouldNotBe: "Diese Seite konnte nicht geladen werden",
  thisPageDoesNotWork: "Diese Seite funktioniert nicht",
  reload: "Neu laden",
  thereIsANewVersion:
    "Es gibt eine neue Version, oder Ihre Verbindung war weg. Laden Sie neu; was Sie geschrieben haben, bleibt.",
  theFaultIsOursAnd:
    "Der Fehler liegt bei uns, und was Sie geschrieben haben, bleibt. Laden Sie neu; bleibt es dabei, sagen Sie es denen, die Pressbell betreiben.",

  // push-service-names.ts
  googleChromeEdgeOpera: "Google: Chrome, Edge, Opera",
  mozillaFirefox: "Mozilla: Firefox",
  appleSafari: "Apple: Safari",
  microsoftEdgeOnWindows: "Microsoft: Edge auf Windows",
};
