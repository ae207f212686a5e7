const sharedEnglish = {
  unsupported: "This browser cannot show notifications.",
  denied: "Notifications are blocked. Allow them in your browser's settings for this site.",
  subscribe: "Notify me",
  leave: "No more notifications",
  failed: "That did not work. Please try again.",
};

/** The texts that the preferences form and the elements share. */
export type SharedWords = typeof sharedEnglish;

const sharedGerman: SharedWords = {
  unsupported: "Dieser Browser kann keine Benachrichtigungen zeigen.",
  denied: "Benachrichtigungen sind gesperrt. Erlauben Sie sie in den Einstellungen Ihres Browsers für diese Seite.",
  subscribe: "Benachrichtigen Sie mich",
  leave: "Keine Benachrichtigungen mehr",
  failed: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.",
};

/**
 * Returns the language of the page. Falls back to the language of the browser if the page's language is missing or
 * invalid. Accepts `de_DE`, which some pages write.
 */
export function languageOfPage(): string {
  try {
    return new Intl.Locale(document.documentElement.lang.replaceAll("_", "-")).toString();
  } catch {
    return navigator.language;
  }
}

/**
 * Returns the texts in German if that is the language of the page, else in English. Without a language of the page,
 * the browser's decides. `own`: JSON with the site's own texts.
 */
export function wordsOf<Words>(english: Words, german: Words, own = "{}"): Words & SharedWords {
  const isGerman = /^de\b/.test(languageOfPage());
  const words = isGerman ? { ...sharedGerman, ...german } : { ...sharedEnglish, ...english };
  return { ...words, ...JSON.parse(own) };
}
