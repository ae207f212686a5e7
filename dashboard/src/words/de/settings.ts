import type { settings as english } from "../en/settings.ts";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const settings: typeof english = {
  // section-nav.tsx
  section: "Bereich",
  sections: {
    site: "Website",
    stories: "Artikel",
    classes: "Klassen",
    prompt: "Anfrage",
    notifications: "Pushs",
    readers: "Leser:innen",
    welcome: "Begrüßung",
    "win-back": "Rückgewinnung",
    drill: "Probealarm",
    publisher: "Verlag",
  },

  // agreement-state.tsx
  agreement: "Vereinbarung",
  agreementOnReadersData: "Vereinbarung über die Daten der Leser:innen",
  versionOf: ({ version }) => `Fassung vom ${version}`,
  accepted: ({ when, by }) => `Angenommen ${when}${by}.`,
  versionOfAccepted: ({ acceptedVersion, when, by }) => `Fassung vom ${acceptedVersion} angenommen ${when}${by}.`,
  by: ({ accepter }) => ` von ${accepter}`,
  theTextWasChangedSince:
    "Der Text wurde seither geändert. Gesendet wird weiter; lesen Sie ihn noch einmal, und nehmen Sie ihn an.",
  notAcceptedAsItStands: "So noch nicht angenommen: Das können nur Inhaber:innen.",
  theOperatorOnTheCommand: "der Betreiberin oder dem Betreiber, auf der Befehlszeile",
  iAcceptTheDataProcessing: "Ich nehme die Vereinbarung zur Auftragsverarbeitung für diese Publikation an",
  acceptIt: "Annehmen",

  // nudge-form.tsx
  whatEachNudgeCarries: "Was jeder Push mitbringt",
  itHoldsFromTheNext: "Das gilt ab dem nächsten Versand.",
  icon: "Symbol",
  theSmallPictureBesideThe: "Das kleine Bild neben dem Text, quadratisch, https. Leer: das des Browsers",
  theIconThatIsSaved: "Das gespeicherte Symbol",
  suchAs: ({ value }) => `etwa ${value}`,
  howAClickLeadsTo: "Wie ein Klick zum Artikel führt",
  straightThereTheClicksAre:
    "Direkt dorthin werden die Klicks vom Skript auf der Seite des Artikels gezählt. Über diesen Dienst werden sie gezählt, wo es nicht laufen kann.",
  straightToTheStory: "Direkt zum Artikel",
  throughThisService: "Über diesen Dienst",
  secondsToTheScreen: "Ziel: 90 % auf dem Bildschirm innerhalb von (Sekunden)",
  theOverviewWarnsWhenMissed: "Die Übersicht warnt, wenn die Pushs der letzten 7 Tage es verfehlten. Leer: kein Ziel.",
  whenAMachineDiesWhile: "Wenn eine Maschine beim Senden ausfällt",
  forAtMost500Messages:
    "Bei höchstens 500 Nachrichten ist dann nicht bekannt, ob sie gesendet wurden. Die meisten Browser zeigen eine wiederholte nur einmal.",
  sendThemAgainNobodyMisses: "Noch einmal senden: Niemand verpasst ihn",
  leaveThemNobodyGetsIt: "Lassen: Niemand bekommt ihn doppelt",

  // prompt-form.tsx
  whatReadersAreAsked: "Was die Leser:innen gefragt werden",
  theSiteAsksInIts:
    "Die Website fragt zuerst in eigenen Worten, denn dem Browser kann man mit „nie“ antworten. Ein leeres Feld ist unser Text.",
  askByItself: "Von selbst fragen",
  offOnlyWhatAPage: "Aus: Gefragt wird nur, wenn Ihre Seite es auslöst, etwa mit einem Knopf.",
  question: "Frage",
  explanation: "Erklärung",
  yes: "Ja",
  later: "Später",
  factsOfReaders: "Merkmale von Lesern",
  whatPagesMaySay:
    "Das dürfen Ihre Seiten über Leser mit Abo sagen, für Segmente. Leser sehen es dort, wo sie wählen, und können es entfernen. Höchstens 8 Merkmale mit je höchstens 20 Werten, zwischen Kommas; nie, wer jemand ist. Nur Inhaber ändern sie.",
  fact: ({ n }) => `Merkmal ${n}`,
  nameOfTheFact: "Name",
  whatReadersSee: "Was Leser sehen",
  yourPlan: "Ihr Tarif",
  valuesOfTheFact: "Werte",
  freeOrPaid: "gratis, bezahlt",
  removeTheFact: ({ n }) => `Merkmal ${n} entfernen`,
  addAFact: "Merkmal hinzufügen",
  pageOnWhichReadersChoose: "Seite, auf der Leser Themen und Zeiten wählen",
  theFormForTopics: "Eine Seite dieser Website mit dem Formular. Die Frage und Sammelnachrichten führen dorthin.",
  daysForWhichAChoice: "Tage, für die die Auswahl eines Lesers bleibt, der gegangen ist",
  ofReadersWhoseBrowser: "Für Leser, die Benachrichtigungen verbieten und wieder erlauben. Leer: gar nicht.",
  whatIsCounted: "Was von Lesern gezählt wird",
  onlySumsCannotTell:
    "Nur Summen: Keine Meldung unterscheidet einen Leser vom anderen, und keine führt zu einem Abo. Ab dem nächsten Versand.",
  eachNudgeApart: "Jeder Push für sich: angezeigt, geklickt, geschlossen",
  onlySums: "Nur Summen",
  nothingAtAll: "Nichts",
  topicsInThePrompt: "Themen zum Ankreuzen",
  readersTickThem:
    "Höchstens 8. Das Ressort der Seite ist schon angekreuzt. Wer keines ankreuzt, bekommt, was an alle geht.",
  aboveTheTopics: "Über den Themen",
  ticksAllOfThem: "Alle ankreuzen",
  linkToChoose: "Link zur Seite, auf der sie wählen",
  readersOfAnotherService: "Leser eines anderen Push-Dienstes",
  whoHasAllowedNotifications:
    "Leser, die Benachrichtigungen dieser Website erlaubt haben, werden beim nächsten Besuch hier Abonnenten, ohne noch einmal gefragt zu werden. Was der andere Dienst in ihrem Browser hat, wird beendet.",
  migrateThem: "Übernehmen",
  itsScriptsOneALine: "Seine Skripte auf dieser Website, eines je Zeile",
  thoseOfOneSignal: "Die von OneSignal, Webpushr, CleverPush und Pushwoosh sind bekannt. Zum Beispiel /push/worker.js.",
  howManyReadersItHad: "Wie viele Leser er hatte",
  countItsExport: "Seinen Export zählen (CSV)",
  onAnIphoneBeforeIt: "Auf einem iPhone, bevor sie auf dem Home-Bildschirm ist",
  howItLooks: "So sieht es aus",

  beforeItStoresOrAsks: "Bevor sie etwas speichert oder fragt",
  whatThePageWaitsFor: "Bis zur Zustimmung speichert die Seite nichts, fragt nichts und übernimmt niemanden.",
  consentSources: {
    off: "Auf nichts warten",
    tcf: "Auf eine Consent-Plattform warten (IAB TCF)",
    google: "Auf den Consent-Modus von Google warten",
    page: "Auf die Funktion pressbellConsent der Seite warten",
  },

  // prompt-when.tsx
  whenLabels: {
    fromPage: "Ab der wievielten Seite der Website",
    fromVisit: "Ab dem wievielten Besuch",
    delaySeconds: "Sekunden, die die Seite zu sehen ist",
    scrollPercent: "Prozent des Artikels, die gelesen sind",
    repeatDays: "Tage Ruhe nach „später“",
    onlyPaths: "Nur auf diesen Pfaden",
    neverPaths: "Nie auf diesen Pfaden",
  },
  onePathALine: "Einer je Zeile, zum Beispiel /sport/*: * steht für beliebige Zeichen. Leer: keine solche Regel.",

  // prompt-languages.tsx
  otherLanguages: "In anderen Sprachen",
  aPageInSuchALanguage:
    "Eine Seite, deren Attribut lang eine solche Sprache nennt, zeigt diese Texte, jede andere Seite die oben. Ein leeres Feld ist der Text oben.",
  language: "Sprache",
  suchAsPtBr: "Zum Beispiel fr oder pt-BR",
  addLanguage: "Sprache hinzufügen",
  removeLanguage: ({ language }: { language: Text }) => `${language} entfernen`,

  // publisher.tsx
  publisher: "Verlag",
  // unsaved-edits.tsx
  leaveUnsaved: "Ohne Speichern verlassen?",
  someEditsAreNotSaved: "Sie haben auf dieser Seite Einstellungen geändert und nicht gespeichert.",
  leaveThem: "Ohne Speichern verlassen",
  stayHere: "Hier bleiben",

  saved: "Gespeichert.",
  nameOfThePublisher: "Name des Verlags",
  rename: "Umbenennen",
  sendThisMonthMessageTaken: ({ sends, accepted }) =>
    `${sends === 1 ? "1 Versand" : `${sends}-mal gesendet`} in diesem Monat, ${plural(accepted, "Nachricht", "Nachrichten")} von Push-Diensten angenommen.`,
  theLargestWentTo: ({ largestAudience }) => `Der größte ging an ${largestAudience}.`,
  theLargestOfThePlan: ({ largestAudience, audienceCap }) =>
    `Der größte ging an ${largestAudience} von ${audienceCap}, die der Tarif erlaubt.`,
  planForAll: ({ plan }) => rich`Tarif ${plan}: Ein Versand darf an beliebig viele Personen gehen.`,
  planFor: ({ plan, audienceCap }) => rich`Tarif ${plan}: Ein Versand darf an ${audienceCap} gehen.`,
  theLargestSendOfThe: "Der größte Versand des Monats, gemessen am Tarif",

  // readers-form.tsx
  whereReadersComeFrom: "Woher die Leser:innen kommen",
  pagesOfMaySubscribeReaders: ({ origin }) =>
    `Seiten von ${origin} dürfen Abos anlegen, und solche, die Sie hier nennen.`,
  furtherAddressesOneALine: "Weitere Adressen, eine je Zeile",
  suchAsThatOfA: "Etwa die einer mobilen Website oder einer zweiten Domain",
  monthsAfterWhichASilent: "Monate, nach denen ein stiller Browser entfernt wird",
  itIsSilentWhenIt: "Still ist er, wenn er weder die Website besucht noch einen Push bekommt. Leer: nie",

  // second-person.tsx
  aSecondPerson: "Eine zweite Person",
  whatGoesToMorePeople:
    "Was an mehr Personen geht, wartet, bis jemand anderes aus der Redaktion zustimmt; was eine Person innerhalb einer Stunde sendet, zählt zusammen. Das gilt für alles, was hier gesendet und geplant wird, nicht für API-Schlüssel und Feeds. Prüfen Sie die Feeds, die alles senden: Einschalten dürfen das dann nur noch Inhaber:innen.",
  largeSendsNeedASecond: "Großer Versand braucht eine zweite Person",
  aboveSoManyPeople: "Ab mehr als so vielen Personen",
  thereIsNobodyToBe: "Noch gibt es keine zweite Person: Laden Sie unter Mitglieder jemanden in die Redaktion ein.",
  saveThis: "Speichern",

  // site-form.tsx
  save: ({ title }) => `Speichern: ${title}`,
  save2: "Speichern",

  // site-limits.tsx
  whenStoriesAreWorthSending: "Wann sich ein Artikel lohnt",
  pressbellAdvisesByTheseAn: "Danach rät Pressbell. Ein leeres Feld setzt keine Grenze.",
  timeZone: "Zeitzone",
  oldestStoryInHours: "Ältester Artikel, in Stunden",
  sendsIn24HoursAt: "Pushs in 24 Stunden, höchstens",
  minutesBetweenTwoSends: "Minuten zwischen zwei Pushs",
  aStoryWithoutADate: "Ein Artikel ohne Datum",
  neitherItsPageNorThe: "Weder Seite noch Feed sagen, wann er veröffentlicht wurde: Er kann alt sein.",
  askBeforeAFeedSends: "Fragen, bevor ein Feed ihn sendet",
  sendItLikeOthers: "Senden wie andere",
  skipIt: "Auslassen",
  quietHours: "Ruhezeit",
  from: "Von",
  until: "Bis",

  // classes-form.tsx
  classesOfCampaigns: "Klassen von Pushs",
  whatHoldsForEachClass: "Was für jede Klasse gilt. Ein leeres Feld setzt keine Grenze.",
  onlyOwnersChangeClasses: "Was für jede Klasse gilt. Nur Inhaber:innen ändern es.",
  nameOfClass: "Wie Sie sie nennen",
  capOfClass: {
    hour: "Je Leser:in in einer Stunde, höchstens",
    day: "Je Leser:in an einem Tag, höchstens",
    week: "Je Leser:in in einer Woche, höchstens",
  },
  holdoutOfClass: "Leser:innen, die sie nicht bekommen, in Prozent",
  whatAHoldoutDoes:
    "Von 0 bis 10. An ihnen zeigt sich, was diese Pushs bringen und kosten. Alle vier Wochen wählt der Zufall andere aus.",
  whoSendsClass: "Wer sie senden darf",
  sendersOfClass: { owner: "Inhaber:innen", editor: "Redakteur:innen", key: "API-Schlüssel" },

  // site-name-form.tsx
  theSiteItself: "Die Website selbst",
  nameOfTheSite: "Name der Website",

  // nudge-fields.tsx, automation-figures.tsx
  automatedNudge: {
    title: "Titel",
    text: "Text",
    address: "Adresse",
    picture: "Adresse eines Bildes",
    figures: {
      lastDays: "In den letzten 30 Tagen",
      readers: "Angenommen",
      seen: "Angezeigt",
      clicked: "Geklickt",
      left: "Abgemeldet",
      removed: "Entfernt",
    },
  },

  // win-back-form.tsx
  winBack: {
    heading: "Rückgewinnung",
    lead: "Leser:innen, die lange nicht auf der Website waren und nichts angeklickt haben, bekommen einen Push zwischen 10 und 18 Uhr, und dann keinen mehr, bis sie wiederkommen. Ihre eigenen Grenzen, Ruhezeiten und Themen gelten.",
    switchedOn: "Leser:innen zurückgewinnen, die ausbleiben",
    days: "Tage ohne Besuch oder Klick",
    daysAre: "7 bis 365. Beim ersten Mal bekommen ihn alle, die länger ausgeblieben sind",
    away: ({ readers }) => `Jetzt so lange ausgeblieben: ${readers}.`,
    afterwards: "Wer nicht wiederkommt",
    keep: "Bleibt",
    remove: "Wird nach 14 Tagen entfernt",
    removedAre: "Wer entfernt ist, bekommt keinen Push mehr. Wer die Website wieder besucht, gilt als neu.",
  },

  // drill-form.tsx, last-drill.tsx
  drill: {
    heading: "Probealarm",
    lead: "Pressbell sendet regelmäßig einen Push an eines Ihrer Testgeräte, das Prüfgerät, auf demselben Weg wie an Leser:innen. Kommt er nicht an, bekommen Inhaber:innen eine E-Mail, und die Übersicht sagt, welcher Schritt misslang. Er zählt in keiner Auswertung mit.",
    onlyOwners: "Nur Inhaber:innen ändern ihn.",
    canary: "Prüfgerät",
    canaryIs: "Ein Gerät, das immer an und online ist, etwa ein altes Telefon am Ladegerät",
    none: "Keines: kein Probealarm",
    hasLeft: "Ein Gerät, das nicht mehr abonniert hat",
    every: "Minuten von einem zum nächsten",
    everyIs: "15 bis 1440",
    runNow: "Jetzt einen auslösen",
    running: "läuft",
    passed: "bestanden",
    failed: "misslungen",
    stepsAre: "Schritte des letzten Probealarms",
    steps: {
      planned: "Geplant",
      sent: "Gesendet",
      accepted: "Vom Push-Dienst angenommen",
      displayed: "Auf dem Prüfgerät angezeigt",
    },
    after: ({ seconds }) => `nach ${seconds.toLocaleString("de")} s`,
    notReached: "nicht erreicht",
    notReported: "meldet dieser Browser nicht",
  },

  // welcome-form.tsx, welcome-step.tsx
  welcome: {
    heading: "Begrüßung",
    lead: "Was Leser bekommen, nachdem sie abonniert haben: eine Begrüßung und an späteren Tagen bis zu drei weitere Pushs. Das gilt für alle, die von jetzt an abonnieren, und jeder Push kommt einmal. Ihre eigenen Grenzen, Ruhezeiten und Themen gelten.",
    switchedOn: "Neue Leser begrüßen",
    addStep: "Push hinzufügen",
    step: ({ n }) => `Push ${n}`,
    day: "Tage nach dem Abonnieren",
    daysAfter: "0: binnen einer Minute. An späteren Tagen: binnen einer Stunde nach der Uhrzeit des Abonnierens",
    topic: "Nur Leser eines Themas",
    anyTopic: "Alle neuen Leser",
    onlyUnclicked: "Nur Leser, die noch keinen Push angeklickt haben",
    removeIt: ({ n }) => `Push ${n} entfernen`,
  },
};
