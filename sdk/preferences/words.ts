const english = {
  title: "Your notifications",
  unsupported: "This browser cannot show notifications.",
  install: "Add this site to your home screen and open it from there to be notified.",
  denied: "Notifications are blocked. Allow them in your browser's settings for this site.",
  subscribe: "Notify me",
  topics: "Topics",
  topicsHint: "Without a choice you get what concerns all readers.",
  howMany: "How many a day",
  all: "All",
  atMost: "At most {n}",
  rest: "The others",
  never: "Not at all",
  digest: "In one message, at",
  quiet: "Quiet hours",
  quietOn: "None at these times",
  from: "from",
  until: "until",
  breaking: "Breaking news",
  breakingHint: "The few messages that cannot wait.",
  breakingOn: "Always, also in quiet hours and beyond the limits",
  digestInQuiet: "Choose a time outside your quiet hours.",
  noQuiet: "Choose two different times.",
  save: "Save",
  saved: "Saved.",
  failed: "That did not work. Please try again.",
  recent: "Sent in the last two days",
  suppressed: "not sent to you",
  mute: "Mute this story",
  unmute: "Unmute",
  muted: "Muted for 30 days",
  leave: "No more notifications",
  left: "You will get no more notifications.",
  download: "Download my data",
  downloaded: "Your data is in the file notifications.json.",
  erase: "Delete my data",
  erased: "What was known of you is deleted, and you will get no more notifications.",
};

/** The texts of the form. */
export type Words = typeof english;

const german: Words = {
  title: "Ihre Benachrichtigungen",
  unsupported: "Dieser Browser kann keine Benachrichtigungen zeigen.",
  install: "Legen Sie diese Seite auf den Home-Bildschirm und öffnen Sie sie von dort, um benachrichtigt zu werden.",
  denied: "Benachrichtigungen sind gesperrt. Erlauben Sie sie in den Einstellungen Ihres Browsers für diese Seite.",
  subscribe: "Benachrichtigen Sie mich",
  topics: "Themen",
  topicsHint: "Ohne Auswahl bekommen Sie, was alle angeht.",
  howMany: "Wie viele am Tag",
  all: "Alle",
  atMost: "Höchstens {n}",
  rest: "Die übrigen",
  never: "Gar nicht",
  digest: "In einer Nachricht, um",
  quiet: "Ruhezeit",
  quietOn: "Keine zu diesen Zeiten",
  from: "von",
  until: "bis",
  breaking: "Eilmeldungen",
  breakingHint: "Die wenigen Meldungen, die nicht warten können.",
  breakingOn: "Immer, auch in der Ruhezeit und über die Grenzen hinaus",
  digestInQuiet: "Wählen Sie eine Zeit außerhalb Ihrer Ruhezeit.",
  noQuiet: "Wählen Sie zwei verschiedene Zeiten.",
  save: "Speichern",
  saved: "Gespeichert.",
  failed: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.",
  recent: "In den letzten zwei Tagen gesendet",
  suppressed: "nicht an Sie gesendet",
  mute: "Dieses Thema stumm schalten",
  unmute: "Wieder melden",
  muted: "30 Tage stumm",
  leave: "Keine Benachrichtigungen mehr",
  left: "Sie bekommen keine Benachrichtigungen mehr.",
  download: "Meine Daten herunterladen",
  downloaded: "Ihre Daten sind in der Datei notifications.json.",
  erase: "Meine Daten löschen",
  erased: "Was über Sie bekannt war, ist gelöscht. Sie bekommen keine Benachrichtigungen mehr.",
};

/**
 * Returns the language of the page, else of the browser. Some pages write `de_DE`, and no formatter takes what is no
 * language.
 */
export function languageOfPage(): string {
  try {
    return new Intl.Locale(document.documentElement.lang.replaceAll("_", "-")).toString();
  } catch {
    return navigator.language;
  }
}

/**
 * Returns the texts in the language of the page, else of the browser: German or English. `own`: JSON with the site's.
 */
export function wordsOf(own = "{}"): Words {
  return { ...(/^de\b/.test(languageOfPage()) ? german : english), ...JSON.parse(own) };
}
