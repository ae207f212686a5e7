import type { feeds as english } from "../en/feeds.ts";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";

export const feeds: typeof english = {
  // allowed-hosts.tsx
  saved: "Gespeichert.",
  otherWebsites: "Andere Websites",
  onlyAnOwnerChangesThis: "Das ändern nur Inhaber:innen, ebenso die Adresse eines Feeds mit anderen Websites.",
  whatItBringsMayLead: ({ url }) =>
    `Was er bringt, darf zu Seiten von ${url} und der hier genannten Websites führen. Was woandershin führt, wird nicht gesendet.`,
  namesOfWebsites: "Namen von Websites",
  blogExampleOrgShopExample: "blog.example.org, shop.example.org",
  theseAreNoNamesOf: ({ join }) => `Das sind keine Namen von Websites: ${join}`,
  allowThese: "Diese erlauben",

  // feed-items.tsx
  items: "Einträge",
  whichItems: "Welche Einträge",
  all: ({ all }) => `Alle (${all})`,
  nothingCameYetWhatThe: "Noch kam nichts. Was der Feed bringt, erscheint hier.",
  thereIsNoneOfThese: "Davon gibt es keine.",
  showOlderOnes: "Ältere anzeigen",
  anItemWithoutATitle: "Ein Eintrag ohne Titel",
  lookedAtAgain: ({ when }) => ` · wird noch einmal angesehen ${when}`,
  itsCampaign: "Seine Kampagne",

  // feed-labels.ts
  states: {
    new: { label: "Neu", explanation: "Er wird gleich beurteilt." },
    asked: {
      label: "Fraglich",
      explanation: "Er kam mit sehr vielen anderen oder ohne Datum: Wählen Sie oben, was geschehen soll.",
    },
    waiting: { label: "Wartet", explanation: "Er wird noch einmal angesehen, solange er frisch ist." },
    suggested: { label: "Vorgeschlagen", explanation: "Er wartet als Entwurf: Die Redaktion sendet ihn oder nicht." },
    sent: { label: "Gesendet", explanation: "Sein Push ging hinaus." },
    skipped: { label: "Ausgelassen", explanation: "Er wurde nicht gesendet." },
    seen: { label: "Gesehen", explanation: "Er stand schon beim ersten Lesen im Feed und wird nie gesendet." },
  },
  none: "keine",

  // feed-preview.tsx
  newsSitemap: "News-Sitemap",
  noFeedCanBeRead: "Dort ist kein Feed zu lesen",
  youCanAddItAll: "Sie können ihn trotzdem hinzufügen: Es wird immer wieder versucht.",
  aFeedWithoutATitle: "Ein Feed ohne Titel",
  itNamesAHubWhich: "Er nennt einen Hub, der neue Artikel sofort meldet.",
  entries: ({ format, entries }) => `${format}, ${plural(entries, "Eintrag", "Einträge")}.`,
  cutEntries: ({ format, entries }) =>
    `${format}, ${plural(entries, "Eintrag", "Einträge")} (er ist zu lang, um ihn bis zum Ende zu lesen).`,
  itWouldBeReadEvery: ({ interval, because }) => `Er würde alle ${interval} gelesen: ${because}.`,
  withoutATitle: "Ohne Titel",
  whatIsInItWhen: "Artikel, die beim Hinzufügen schon darin stehen, werden nicht gesendet, nur neuere.",
  seconds: ({ seconds }) => `${seconds} Sekunden`,
  minutes: ({ round }) => `${round} Minuten`,
  hours: ({ round }) => `${round} Stunden`,

  // feed-rules.tsx
  nudgesWithinAnHourAt: "Pushs in einer Stunde, höchstens",
  within24HoursAtMost: "In 24 Stunden, höchstens",
  aStoryThatComesIn: "Ein Artikel, der in der Ruhezeit, zu bald nach einem anderen oder über einer Grenze kommt",
  isNotSent: "wird nicht gesendet",
  waitsAndGoesOutIf: "wartet und geht hinaus, wenn er dann noch frisch ist",
  topicsByCategory: "Themen nach Kategorie",
  everyItemGoesToEverybody:
    "Jeder Eintrag geht an alle. Mit Themen, die Sie unter Abos anlegen, können seine Kategorien sagen, für wen er ist.",
  everyItemGoesToEverybody2:
    "Jeder Eintrag geht an alle. Mit einer Regel gehen Einträge einer Kategorie nur an alle mit einem Thema.",
  anItemOfACategory:
    "Ein Eintrag geht an alle mit dem Thema seiner Kategorie; bei mehreren Kategorien an alle mit einem der Themen.",
  categoryOfRule: ({ value }) => `Kategorie der Regel ${value}`,
  category: "Kategorie",
  topicOfRule: ({ value }) => `Thema der Regel ${value}`,
  removeRule: ({ value }) => `Regel ${value} entfernen`,
  remove: "Entfernen",
  noSegment: "Keines: alle diese Abos",
  anItemInNoneOf: "Ein Eintrag in keiner dieser Kategorien",
  goesToEverybody: "geht an alle",
  addARule: "Regel hinzufügen",

  // feed-settings.tsx
  switches: "Schalter",
  readItAndSendWhat: "Lesen und senden, was neu ist",
  offItIsNotRead: "Aus: Er wird nicht gelesen. Was inzwischen erscheint, wird auch später nicht gesendet.",
  switchThisFeedOff: "Diesen Feed ausschalten?",
  switchItOff: "Ausschalten",
  itIsNotReadAny:
    "Er wird nicht mehr gelesen, und was noch wartet, wird ausgelassen. Was erscheint, bis Sie ihn wieder einschalten, wird nicht gesendet.",
  tryBothHeadlines: "Titel des Feeds gegen den der Seite ausprobieren",
  whereItsTitleIsAnother:
    "Wo sie sich unterscheiden, bekommt jedes fünfte Abo einen von beiden. Alle anderen bekommen den, der öfter angeklickt wird, spätestens nach einer halben Stunde.",
  suggestOnlyAnEditorDecides: "Nur vorschlagen: Die Redaktion entscheidet",
  notTogetherWithTheOverride: "Nicht zusammen mit „alles senden“: Das sendet, ohne zu fragen.",
  whatIsWorthSendingWaits:
    "Was sich lohnt, wartet als Entwurf, und die Redaktion wird auf den Geräten gefragt, die sie unter Feeds gewählt hat.",
  overrideSendWhatTheDecision: "Alles senden: auch, wovon das Urteil abrät",
  forAFeedInWhich: "Für einen Feed, in dem jemand jeden Artikel von Hand gewählt hat.",
  largeSendsNeedASecond:
    "Großer Versand braucht hier eine zweite Person: Einschalten dürfen das nur Inhaber:innen, und nur sie ändern einen solchen Feed.",
  sendWhateverThisFeedBrings: "Senden, was immer dieser Feed bringt?",
  turnTheOverrideOn: "Alles senden",
  whatTheContentDecisionRejects: ({ hourlyLimit, dailyLimit }) =>
    `Auch, wovon das Urteil abrät, geht hinaus: alte Artikel, in der Ruhezeit, über die Grenzen der Website. Niemand sieht es vorher an. Nur die Grenzen dieses Feeds gelten (${hourlyLimit} in einer Stunde, ${dailyLimit} in 24 Stunden).`,
  whatGoesOutAndTo: "Was hinausgeht, und an wen",
  addressOfTheFeed: "Adresse des Feeds",
  whatIsAtTheNew: "Was beim Speichern unter der neuen Adresse steht, wird nicht gesendet.",
  save: "Speichern",
  removingAFeedRemovesThe:
    "Mit einem Feed verschwindet die Liste seiner Einträge. Seine Kampagnen bleiben. Wenn Sie ihn wieder hinzufügen, sendet er nichts doppelt.",
  removeThisFeed: "Diesen Feed entfernen",
  removeThisFeed2: "Diesen Feed entfernen?",
  removeIt: "Entfernen",
  itIsNotReadAny2: "Er wird nicht mehr gelesen, und was noch wartet, wird nicht gesendet.",

  // feed-state.tsx
  on: "Ein",
  off: "Aus",
  suggests: "Schlägt vor",
  override: "Sendet alles",
  failed: "Gescheitert",
  failedTimes: ({ failures }) => `${failures}-mal gescheitert`,
  notReadYet: "Noch nicht gelesen.",
  read: ({ when, result }) => rich`Gelesen ${when}: ${result}`,
  next: ({ when }) => `Wieder ${when}.`,
  nextBecause: ({ when, because }) => `Wieder ${when}: ${because}.`,
  itIsOffItIs: "Er ist aus: Er wird nicht gelesen, und nichts von ihm wird gesendet.",
  itsHubNotifiesUsAt: "Sein Hub meldet neue Artikel sofort.",
  nothingNew: "nichts Neues.",
  newItems: ({ n }) => `${plural(n, "neuer Eintrag", "neue Einträge")}.`,
  skipThem: "Auslassen",
  sendThem: "Senden",

  // new-feed.tsx
  addAFeed: "Feed hinzufügen",
  tryIt: "Ausprobieren",
  findTheFeedsOfThe: "Feeds der Website suchen",
  notNow: "Nicht jetzt",
  namesNoFeedAndThere: ({ url }) =>
    `${url} nennt keinen Feed, und unter den üblichen Adressen ist keiner. Fragen Sie, wer die Website betreut.`,
  tryUrl: ({ url }) => `${url} ausprobieren`,
  offWhatIsWorthSending: "Aus: Was sich lohnt, geht von selbst hinaus.",
  switchItLater: "Sie sehen, was er senden würde. Schalten Sie das aus, hier oder später, damit er von selbst sendet.",
  addThisFeed: "Diesen Feed hinzufügen",

  // poll-pace.tsx
  asOftenAsTheFeed: "so oft, wie der Feed es erlaubt",
  atLeastEvery30Seconds: "mindestens alle 30 Sekunden",
  atLeastEveryMinute: "mindestens jede Minute",
  atLeastEvery5Minutes: "mindestens alle 5 Minuten",
  atLeastEverySeconds: ({ value }) => `mindestens alle ${value} Sekunden`,
  howOftenItIsRead: "Wie oft er gelesen wird",
  someFeedsAskToBe:
    "Manche Feeds bitten darum, nur einmal in der Stunde gelesen zu werden. Ihren eigenen können Sie öfter lesen, wenn sein Server das verkraftet.",
  onlyAnOwnerChangesThis2: "Das ändern nur Inhaber:innen.",

  // this-device.tsx
  suggestionsOnThisDevice: "Vorschläge auf diesem Gerät",
  askMeOnThisDevice: "Mich auf diesem Gerät fragen, wenn ein Feed einen Artikel vorschlägt",
  sendThisTo12400: "„An 12.400 Personen senden?“ Ein Tippen öffnet den Entwurf. Dieses Gerät zählt nicht als Abo.",
  thisBrowserCannotShowNotifications:
    "Dieser Browser kann hier keine Benachrichtigungen zeigen und Sie also nicht nach Vorschlägen fragen. Auf iPhone oder iPad legen Sie das Dashboard zuerst auf den Home-Bildschirm.",
  thisBrowserDoesNotAllow:
    "Dieser Browser erlaubt dem Dashboard keine Benachrichtigungen. Erlauben Sie sie neben seiner Adresse, und versuchen Sie es noch einmal.",
  thisBrowserCouldNotReach:
    "Dieser Browser konnte seinen Push-Dienst nicht erreichen. Versuchen Sie es in einer Minute noch einmal.",
};
