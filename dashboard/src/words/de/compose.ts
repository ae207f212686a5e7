import type { compose as english } from "../en/compose.ts";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";

export const compose: typeof english = {
  // actions.tsx
  draftLabels: { keep: "Entwurf speichern", done: "Entwurf gespeichert" },
  scheduledLabels: { keep: "Änderungen speichern", done: "Änderungen gespeichert" },
  send: "Senden",
  sendATest: "Test senden",
  changeTheTime: "Zeit ändern…",
  scheduleIt: "Planen…",

  // also-to.tsx
  alsoTo: "Auch an",
  siteIsPaused: ({ site }) => `${site} · angehalten`,
  addressAt: ({ site }) => `Adresse bei ${site}`,
  toAllOf: ({ people }) => `An ${people}. Leer: die Adresse oben`,
  scheduleAtEach: "Für mehrere Websites: Speichern Sie den Entwurf, und planen Sie ihn bei jeder.",
  othersGetItWhole: "Dort geht er an alle: Themen, Gefolgtes und Segmente gehören zu einer Website.",

  // audience.tsx
  audience: "Zielgruppe",
  theSamePeopleAsBefore:
    "Sie geht an alle, die der falsche Push erreicht hat oder erreicht haben kann. Nach einem Stopp geht sie auch an die, die noch auf ihn warteten. Wer später kam, bekommt sie nicht.",
  everybodyWhoCanBeReached:
    "Alle, die zu erreichen sind. Mit Themen, die Sie unter Abos anlegen, können Sie auswählen.",
  topicsAnyOfThem: "Themen, eines genügt",
  searchTopics: ({ n }) => `${n} Themen: Tippen Sie einen Teil des Namens.`,
  noSuchTopic: "Kein Thema heißt so",
  everybody: "Alle",
  segment: "Segment",
  onlyReadersInIt: "Nur Leser:innen, die darin sind, wie unter Abos beschrieben",
  noSegment: "Keines: alle",
  noSegmentOfTopics: "Keines: alle dieser Themen",
  noSegmentOfFollowers: "Keines: alle, die folgen",
  followersOf: "Wer folgt",
  onlyReadersWhoFollowIt:
    "Einer Geschichte, einem Namen oder einer Serie, mit der ID aus Ihren Seiten. Nur Leser:innen, die ihr folgen",
  nothingTheyFollow: "Keine Wahl: alle Leser:innen",
  nobodyFollowsIt: "Dem folgt niemand",
  worthShowingFor: "Sehenswert für",
  aDeviceThatIsOff: "Später zeigt ihn kein Gerät mehr",
  labels: "Schlagwörter",
  whatReportsAreGroupedBy: "Danach gliedern sich Berichte: Ressort, Rubrik, Autor:in",
  classOfCampaign: "Klasse",
  breakingComesThrough: "Eilmeldungen kommen durch Ruhezeit und Grenzen, bei Leser:innen, die dem zugestimmt haben",
  othersSendThisClass:
    "Diese Klasse dürfen Sie nicht senden: Fragen Sie eine zweite Person, oder wählen Sie eine andere Klasse",
  urgency: "Dringlichkeit",
  highWakesAPhone: "Hoch weckt ein Telefon, das Strom spart",
  highBreakingNews: "Hoch: Eilmeldung",
  normal: "Normal",
  low: "Niedrig",
  veryLow: "Sehr niedrig",
  days: ({ n }) => plural(n, "Tag", "Tage"),
  hours: ({ n }) => plural(n, "Stunde", "Stunden"),
  minutes: ({ n }) => plural(n, "Minute", "Minuten"),

  // draft.ts
  pasteTheAddress: "Fügen Sie die https://-Adresse eines Artikels ein.",
  giveTheAddress: "Geben Sie die Adresse an, die sich öffnen soll.",
  writeATitle: "Schreiben Sie einen Titel.",
  titleIsTooLong: ({ most }) => `Der Titel hat über ${most} Zeichen.`,
  textIsTooLong: ({ most }) => `Der Text hat über ${most} Zeichen.`,
  writeAText: "Schreiben Sie einen Text.",

  // drafts.tsx
  tooLongToBeSaved: "Das ist zu lang zum Speichern. Kürzen Sie es; bis dahin hat es nur dieser Browser.",
  onlyThisBrowser: "Nur dieser Browser hat Ihren Text: Der Dienst antwortet nicht. Sobald er es tut, wird gespeichert.",
  savedNow: "Gerade gespeichert",
  savedSecondsAgo: ({ s }) => `Vor ${s} s gespeichert`,
  savedMinutesAgo: ({ min }) => `Vor ${min} Min. gespeichert`,
  savedHoursAgo: ({ h }) => `Vor ${h} Std. gespeichert`,
  savedEarlier: "Früher gespeichert",
  saving: "Wird gespeichert…",
  youGoOn: "Sie machen mit Ihrem letzten Entwurf weiter.",
  startANewOne: "Neu anfangen",
  withoutATitle: "Ohne Titel",
  yourOtherDrafts: "Ihre anderen Entwürfe",
  deleteDraftOf: ({ name }) => `Entwurf „${name}“ löschen`,
  dropTheseChanges: "Änderungen verwerfen",
  deleteThisDraft: "Entwurf löschen",
  dropTheseChangesNow: "Diese Änderungen verwerfen?",
  deleteThisDraftNow: "Diesen Entwurf löschen?",
  dropTheChanges: "Verwerfen",
  deleteTheDraft: "Entwurf löschen",
  changesAreGone:
    "Nicht gespeicherte Änderungen sind dann weg. Der Push wird zu seiner Zeit so gesendet, wie er gespeichert ist.",
  draftIsGone: "Sein Text ist dann weg. Was unter Kampagnen gespeichert ist, bleibt dort.",

  // newest-stories.tsx
  newestStories: "Neueste Artikel",
  wentOut: "Gesendet",
  suggested: "Vorgeschlagen",
  betterNot: "Besser nicht",
  worthSending: "Lohnt sich",

  // nudge-editor.tsx
  nudge: "Push",
  takeTheStorysOwnWords: "Worte des Artikels nehmen",
  title: "Titel",
  text: "Text",
  picture: "Bild",
  pictureAddress: "Eine https://-Adresse. Leer: kein Bild. Nicht jedes System zeigt eines.",
  lengthOf: ({ length, max }) => `${length} von ${max}`,

  // headlines.tsx
  headline: ({ n }) => `Titel ${n}`,
  removeHeadline: ({ n }) => `Titel ${n} entfernen`,
  tryAnotherHeadline: "Weiteren Titel ausprobieren",
  theRestWaits: "Die anderen warten höchstens",
  howHeadlinesAreTried:
    "Jedes fünfte Abo bekommt einen der Titel. Sobald einer klar öfter angeklickt wird, bekommen ihn alle anderen; spätestens nach dieser Zeit bekommen sie den mit den meisten Klicks.",

  // previews.tsx
  preview: "Vorschau",
  system: "System",
  aboutAsCut: ({ system }) => `Ungefähr so kürzt ihn ${system}, bevor er geöffnet wird.`,
  from: ({ site }) => `von ${site}`,

  // group-question.tsx
  sites: "Websites",
  itGoesToSites: ({ people, sites }) => rich`Er geht an ${people} von ${plural(sites, "Website", "Websites")}.`,
  aSecondPersonIsAsked: "Eine zweite Person wird gefragt",
  someAreAsked: "Wo eine zweite Person gefragt wird, wartet er, bis jemand anderes aus der Redaktion zustimmt.",
  notToThisSite: "Dort nicht gesendet",
  waitAtSites: ({ n }) => `Er wartet bei ${plural(n, "Website", "Websites")} auf ein zweites Ja.`,

  // schedule-dialog.tsx
  scheduleThisNudge: "Diesen Push planen",
  dayAndTimeIn: ({ timeZone }) => `Tag und Uhrzeit in ${timeZone}`,
  oftenChosen: "Oft gewählt",
  byTheClocksOf: ({ when, site }) => `${when} nach der Uhr von ${site}.`,
  byBothClocks: ({ when, site, own }) => `${when} nach der Uhr von ${site}, ${own} nach Ihrer.`,
  dayAndTime: "Tag und Uhrzeit",
  whereEachReaderIs: "Zu dieser Zeit in der Zeitzone jedes Abos",
  howLocalTime:
    "Jedes Abo bekommt ihn zu dieser Ortszeit. Abos ohne bekannte Zeitzone bekommen ihn zur Zeit der Website.",
  fromFirstToLast: ({ first, here, last, site }) =>
    `In der Zeitzone von ${site}: die ersten Abos der Erde ${first}, hier ${here}, die letzten ${last}.`,
  hourComesTwice: "Diese Stunde gibt es in jener Nacht zweimal; die erste gilt.",
  withOthersItReachesMany: "Was Sie innerhalb einer Stunde senden, zählt zusammen und erreicht viele Personen.",
  soManyNeedASecondPerson:
    "An so viele Personen darf nur mit einer zweiten Person gesendet werden: Geplant wird, sobald jemand anderes aus der Redaktion zustimmt.",
  notYet: "Noch nicht",
  askASecondPerson: "Zweite Person fragen",
  schedule: "Planen",
  timeHasPassed: "Diese Zeit ist vorbei. Wählen Sie eine spätere.",
  scheduledBut: "Geplant, aber",

  // forecast.tsx
  expect: (of) =>
    `In vier von fünf Fällen sehen ihn ${of.displayed} von ${of.readers} Abos, ${of.clicked} klicken ihn an, und ${of.left} gehen verloren. Grundlage: Ihre letzten ${plural(of.nudges, "Push", "Pushs")}.`,
  whatExplains: ({ gain }) =>
    `Stunde, Wochentag, Ressort, Titel, Bild und Themen erklärten ${gain} der Unterschiede zwischen denen der letzten 90 Tage.`,
  nothingExplains: "Stunde, Wochentag, Ressort, Titel, Bild und Themen sagten darüber nichts.",
  drawnToOthers: ({ tenants }) =>
    `Weil das wenige sind, zählen auch die Zahlen von ${plural(tenants, "anderem Verlag", "anderen Verlagen")} dieser Installation.`,

  // best-hours.tsx
  mostClickedHere: "Hier am meisten angeklickt:",
  hourAndShare: ({ hour, share }) => `${hour} · ${share}`,
  hourIsClear: ({ nudges }) =>
    `Von den erreichten Abos, in den letzten zwölf Wochen (${plural(nudges, "Push", "Pushs")}). Die erste Stunde ist klar besser als die anderen.`,
  hourMayBeChance: ({ nudges }) =>
    `Von den erreichten Abos, in den letzten zwölf Wochen (${plural(nudges, "Push", "Pushs")}). Der Unterschied zu anderen Stunden kann Zufall sein.`,
  bestHourIsUnknown: ({ needed }) =>
    `Zu welcher Stunde am meisten geklickt wird, lässt sich noch nicht sagen: Dazu braucht es ${needed} Pushs zu mehr als einer Stunde.`,

  // send-bar.tsx
  noTitleYet: "Noch kein Titel",
  sendNow: "Jetzt senden…",
  whoGotTheFirstOne: "die Abos des ersten",
  atSites: ({ n }) => plural(n, "Website", "Websites"),
  toEverybody: "alle",

  // send-dialog.tsx
  orTriedAs: "Oder:",
  noText: "kein Text",
  noPicture: "kein Bild",
  sendThisNudge: "Diesen Push senden?",
  countingTheAudience: "Zielgruppe wird gezählt",
  itGoesTo: ({ people, site }) => rich`Er geht an ${people} von ${site}.`,
  itGoesToThose: ({ people, site, who }) => rich`Er geht an ${people} von ${site}, ${who}.`,
  whoChoseTheseTopics: "die diese Themen gewählt haben",
  whoFollow: ({ story }) => rich`die ${story} folgen`,
  whoAreInTheSegment: ({ segment }) => rich`die im Segment ${segment} sind`,
  withOthersYouReachMore: "Was Sie innerhalb einer Stunde senden, zählt zusammen und erreicht mehr Personen.",
  aboveASecondPerson: ({ people }) =>
    `Ein Push an mehr als ${people} wartet, bis jemand anderes aus der Redaktion zustimmt.`,
  tenSeconds: "Sie haben 10 Sekunden, um ihn zurückzunehmen, und können ihn danach jederzeit stoppen.",
  thisStory: "Das Urteil über den Artikel jetzt",
  readingTheStory: "Der Artikel wird noch einmal gelesen.",
  sendTo: ({ people }) => `An ${people} senden`,

  // shut-gates.tsx
  nothingGoesOutNow: "Jetzt geht nichts hinaus",
  shut: {
    site_removed: "Diese Website wurde entfernt: Für sie wird nichts mehr gesendet.",
    dpa_required:
      "Zuerst muss jemand als Inhaber:in unter Einstellungen die Vereinbarung über Daten der Leser:innen annehmen.",
    tenant:
      "Der Versand dieses Verlags ist angehalten, für alle Websites. Die Pause wird unter Einstellungen aufgehoben.",
    site: "Der Versand dieser Website ist angehalten. Die Pause wird unter Einstellungen aufgehoben.",
    class_limit: "Diese Klasse hat ihre Grenze für 24 Stunden erreicht. Wählen Sie eine andere Klasse.",
    billing:
      "Das geht an mehr Personen, als Ihr Tarif erlaubt. Wählen Sie weniger Themen, oder fragen Sie nach einem größeren.",
  },
  paused: "Der Versand ist angehalten",

  // story.tsx
  story: "Artikel",
  whereItLeads: "Wohin er führt",
  writeItFromAStory: "Aus einem Artikel schreiben",
  writeItByHand: "Von Hand schreiben",
  addressThatOpens: "Adresse, die ein Klick öffnet",
  addressOfTheStory: "Adresse des Artikels",
  toSendAnotherStory: "Für einen anderen Artikel sagen Sie diesen Push ab, und schreiben Sie einen neuen.",
  itIsReadAndChecked: "Er wird gelesen und beurteilt, sobald Sie die Adresse einfügen.",
  itScores: ({ score }) => `${score} von 100 Punkten.`,
  youCanSendItAllTheSame: "Sie können trotzdem senden: Die Entscheidung liegt bei Ihnen.",
  readThePageAgain: "Seite noch einmal lesen",

  // test-results.tsx
  addATestDevice: "Ein Testgerät hinzufügen",
  testDevicesTookIt: ({ accepted, recipients }) => `${accepted} von ${recipients} Testgeräten haben ihn angenommen`,
  withoutAName: "Ohne Namen",

  // use-opened.ts
  changedInAnotherWindow: "Dieser Entwurf wurde auch in einem anderen Fenster geändert. Beide Texte bleiben.",

  // use-second-person.ts
  itWaits: "Er wartet auf eine zweite Person. Noch wurde nichts gesendet.",

  // zone-time.ts
  chooseADayAndATime: "Wählen Sie Tag und Uhrzeit.",
  noSuchHour: ({ timeZone }) =>
    `Die Uhren von ${timeZone} lassen diese Stunde an jenem Tag aus. Wählen Sie eine andere.`,
  inHours: ({ h }) => `in ${h} Std.`,
  todayAt: ({ time }) => `heute ${time}`,
  tomorrowAt: ({ time }) => `morgen ${time}`,
};
