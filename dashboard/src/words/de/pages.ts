import type { pages as english } from "../en/pages.ts";
import { formOf, plural } from "../plural.ts";
import { rich } from "../rich.ts";

export const pages: typeof english = {
  // account.tsx
  yourAccount: "Ihr Konto",

  // audit-log.tsx
  settings: "Einstellungen",
  auditLog: "Protokoll",
  whoDidWhat: ({ tenantName }) => `Wer was bei ${tenantName} getan hat, das Neueste zuerst`,
  onlyOwnersSeeThis: "Das sehen nur Inhaber:innen",
  itSaysWhoSentStopped: "Hier steht, wer was gesendet, gestoppt und geändert hat. Bitten Sie um diese Rolle.",
  whatHappened: "Was geschah",
  everything: "Alles",
  showEarlierOnes: "Frühere anzeigen",
  everybody: "Alle",
  fromDay: "Von",
  untilDay: "Bis",
  nothingFits: "Nichts passt",
  noEventFits: "Nichts davon ist geschehen. Wählen Sie oben weniger.",
  nothingYet: "Noch nichts",
  whatMembersApiKeysAnd: "Was Mitglieder, API-Schlüssel und die Befehlszeile von nun an tun, erscheint hier.",
  what: "Was",
  who: "Wer",
  when: "Wann",

  // campaign.tsx
  aStoryWithoutATitle: "Artikel ohne Titel",
  goesOut: ({ when }) => `Geht hinaus ${when}`,
  created: ({ when }) => `Erstellt ${when}`,
  itDidNotGoOut: "Er wurde nicht gesendet",
  notSent: {
    draft: "Das ist ein Entwurf: Niemand hat ihn bekommen. Senden Sie ihn, oder setzen Sie eine Zeit.",
    scheduled: "Er wartet auf seine Zeit. Sie können ihn noch bearbeiten, verschieben, sofort senden oder absagen.",
    cancelled: "Er wurde abgesagt: Niemand hat ihn bekommen.",
    failed: "Niemand hat ihn bekommen.",
  },
  nudge: "Push",
  opens: ({ link }) => rich`Öffnet ${link}`,
  itCorrects: ({ link }) => rich`Er korrigiert ${link} und tritt an dessen Stelle.`,
  anEarlierNudge: "einen früheren Push",
  worthShowing: ({ hours, urgency }) => `Sehenswert für ${hours} Std. · Dringlichkeit ${urgency}`,
  urgencies: { high: "hoch", normal: "normal", low: "niedrig", "very-low": "sehr niedrig" },
  thePictureOfThisNudge: "Das Bild dieses Pushs",
  aRetiredTopic: "einem aufgegebenen Thema",
  toEverybody: "An alle",
  toFollowers: ({ story }) => rich`An alle, die ${story} folgen`,
  toSegment: ({ segment }) => rich`Nur im Segment ${segment}`,
  toTopics: ({ n, topics }) => rich`An die Leser:innen ${formOf(n, "des Themas", "der Themen")} ${topics}`,
  decision: "Urteil",
  whatPressbellThoughtOfIt: "Was Pressbell davon hielt",
  scoreOf: ({ worth, score }) => `${worth}, ${score} von 100.`,

  // compose.tsx
  compose: "Schreiben",
  toPlanOn: ({ day }) => `Für ${day}: „Planen…“ beginnt mit diesem Tag.`,
  youCanLookNotSend: "Sie können zusehen, nicht senden",
  askAnOwnerToMake:
    "Bitten Sie die Inhaber:innen um die Rolle Redakteur:in. Was hinausgeht, sehen Sie unter Kampagnen.",
  itIsScheduled: "Er ist geplant",
  itGoesOut: ({ when }) =>
    `Er geht ${when} hinaus. Was Sie ändern, gilt, sobald Sie „Änderungen speichern“ drücken; bis dahin gilt der bisherige Text.`,
  thisIsACorrection: "Das ist eine Korrektur",
  itTakesThePlaceOf:
    "Sie tritt an die Stelle des ersten Pushs, wo er noch auf einem Bildschirm steht, und auf Geräten, die aus waren. Wer den ersten geschlossen hat, sieht diesen als neuen.",
  wentOutLately: "Zuletzt gesendet",

  // feeds.tsx
  addAFeed: "Feed hinzufügen",
  feeds: "Feeds",
  whatIsNewInA:
    "Pressbell beurteilt jeden neuen Artikel eines Feeds. Was sich zu senden lohnt, wird einmal gesendet oder Ihnen vorgeschlagen.",
  noFeedYet: "Noch kein Feed",
  givePressbellTheRssAtom:
    "Geben Sie Pressbell den RSS-, Atom- oder JSON-Feed, den Ihre Website ohnehin hat. Es liest ihn jede halbe Minute, beurteilt jeden neuen Artikel und sendet, was sich lohnt. Was schon darin steht, wenn Sie ihn hinzufügen, wird nicht gesendet.",
  items: ({ items }) => `Einträge: ${items}`,

  // integrations.tsx
  integrations: "Anbindungen",
  readersComeByYourSite: "Leser:innen kommen über Ihre Website, Artikel aus Ihrem CMS.",
  installOnYourSite: "In Ihre Website einbinden",
  twoLinesThenReadersAre:
    "Zwei Zeilen. Dann werden Ihre Leser:innen gefragt, höflich und einmal, ob sie Ihre Nachrichten wollen.",
  lineForEveryPage: "Zeile für jede Seite",
  n1IntoTheHeadOf: "1. In den Kopf jeder Seite",
  workerFile: "Worker-Datei",
  n2AsAFileOf: "2. Als eigene Datei, /pressbell-sw.js, im Hauptverzeichnis",
  sendFromYourCms: "Aus Ihrem CMS senden",
  createWithYourKey:
    "Erstellen Sie eine Kampagne aus einem Artikel, und senden Sie sie. Mit den Kennungen dieser Website; setzen Sie einen Ihrer Schlüssel in PRESSBELL_KEY ein.",
  createWithAKey:
    "Erstellen Sie eine Kampagne aus einem Artikel, und senden Sie sie. Mit den Kennungen dieser Website; den Schlüssel für PRESSBELL_KEY haben die Inhaber:innen.",
  exampleFor: ({ name }) => `Beispiel für ${name}`,
  withIt: ({ name }) => `Mit ${name}`,
  cmsWebhook: "CMS-Webhook",
  notAvailableYet: "Noch nicht verfügbar",
  forACmsThatCalls:
    "Für ein CMS, das beim Veröffentlichen eines Artikels eine Adresse aufruft: mit HMAC-SHA256 unterschrieben statt mit einem API-Schlüssel. Das ist die geplante Anfrage. Pressbell nimmt sie noch nicht an: Nehmen Sie die REST-API oben.",
  intendedRequest: "geplante Anfrage",
  intendedRequestTitle: "Geplante Anfrage",

  // members.tsx
  roles: { owner: "Inhaber:in", editor: "Redakteur:in", viewer: "Gast", sites: "Einzelne Websites" },
  asRoles: {
    owner: "als Inhaber:in",
    editor: "als Redakteur:in",
    viewer: "als Gast",
    sites: "für einzelne Websites",
  },
  members: "Mitglieder",
  whoWorksFor: ({ tenantName }) =>
    `Wer für ${tenantName} arbeitet. Gäste sehen zu, Redakteur:innen senden, Inhaber:innen verwalten auch Schlüssel, Mitglieder und Einstellungen.`,
  membersAreOfThePublisher: "Mitglieder gehören zum Verlag",
  youSeeOnlySomeSites: "Sie haben Rollen für einzelne Websites. Fragen Sie die Inhaber:innen, wer hier sonst arbeitet.",
  inviteSomebody: "Jemanden einladen",
  eMailAddress: "E-Mail-Adresse",
  as: "Als",
  sendTheInvitation: "Einladung senden",
  makeTheLink: "Link erstellen",
  theLinkIsOnIts: ({ email }) => `Der Link ist unterwegs zu ${email}`,
  giveThisLinkTo: ({ email }) => `Geben Sie diesen Link ${email}`,
  itIsHereToo:
    "Falls die E-Mail nicht ankommt, kopieren Sie ihn hier. Er wird nur dieses eine Mal angezeigt, gilt einmal und 7 Tage lang.",
  itIsShownOnce:
    "Er wird nur dieses eine Mal angezeigt, gilt einmal und 7 Tage lang. Wer ihn hat, kann beitreten; übergeben Sie ihn also selbst.",
  invitationLink: "Einladungslink",
  invited: "Eingeladen",
  asEnds: ({ role, ends }) => `${role}, endet ${ends}`,
  withdrawTheInvitationOf: ({ email }) => `Einladung von ${email} zurückziehen`,
  withdraw: "Zurückziehen",
  person: "Person",
  role: "Rolle",
  passwordRemove: "Passwort, entfernen",
  you: "(Sie)",
  passwordOf: ({ email }) => `Passwort von ${email}`,
  password: "Passwort",
  removeName: ({ email }) => `${email} entfernen`,
  remove: "Entfernen",
  bySingleSignOn: "durch Single Sign-on",
  secondFactor: "Zweiter Faktor",
  allMembersNeedOne: "Alle Mitglieder brauchen einen zweiten Faktor",
  whatASecondFactorIs:
    "Eine Authentifizierungs-App, ein Passkey oder Single Sign-on. Wer nichts davon hat, kann hier nur das einrichten.",
  removeThisMember: "Dieses Mitglied entfernen?",
  canDoNothingHereFrom: ({ email }) => `${email} verliert sofort den Zugang. Was gesendet wurde, bleibt.`,
  roleOf: ({ email }) => `Rolle von ${email}`,

  // overview.tsx
  overview: "Überblick",
  newsroomScreen: "Bildschirm für die Redaktion",
  lastNudges: "Letzte Pushs",
  allCampaigns: "Alle Kampagnen",
  scheduled: "Geplant",
  calendar: "Kalender",

  // screen.tsx
  leaveFullScreen: "Vollbild beenden",
  fullScreen: "Vollbild",
  backToTheOverview: "Zurück zum Überblick",
  readersReachable: "Erreichbare Leser:innen",
  clicksInTheLastMinute: "Klicks in der letzten Minute",
  clicksByTheMinute: "Klicks pro Minute",
  clicksInTheLastHour: ({ clicks }) => `${plural(clicks, "Klick", "Klicks")} in der letzten Stunde`,
  nothingWentOutTodayYet: "Heute wurde noch nichts gesendet",
  today: "Heute",
  runFigures: ({ time, accepted, audience, clicked, share }) =>
    `${time} · ${accepted} von ${plural(audience, "Person", "Personen")} · ${plural(clicked, "Klick", "Klicks")} (${share})`,

  // settings.tsx
  sectionOfSettings: ({ section }) => `${section}, Einstellungen`,
  siteAndPublisher: ({ name, tenantName }) => `${name}, und ${tenantName} als Ganzes`,
  youAreAViewerYou:
    "Sie sind Gast: Sie können die Einstellungen ansehen und jemanden aus der Redaktion bitten, sie zu ändern.",
  sendsOf: ({ name }) => `Versand von ${name}`,
  allSendsOf: ({ tenantName }) => `Aller Versand von ${tenantName}`,
  switchedOn: ({ title }) => `${title}: an`,
  paused: "Angehalten",
  aPauseHaltsWithinTwo:
    "Eine Pause hält innerhalb von zwei Sekunden an, was gerade gesendet wird. Heben Sie sie auf, geht es dort weiter.",
  whoSentStoppedAndChanged: "Wer was wann gesendet, gestoppt und geändert hat.",
  openIt: "Ansehen",
  addASite: "Website hinzufügen",
  name: "Name",
  address: "Adresse",
  add: "Hinzufügen",

  // subscribers.tsx
  canBeReached: ({ people }) => `${people} erreichbar.`,
  subscribers: "Abos",
  exportIt: "Exportieren",
  byPushService: "Nach Push-Dienst",
  nobodyYetInstallTheSnippet:
    "Noch niemand. Binden Sie Pressbell ein (Anbindungen), oder lassen Sie die Abos, die Sie haben, unten importieren.",
};
