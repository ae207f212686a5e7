import type { prompts as english } from "../en/prompts.ts";

export const prompts: typeof english = {
  // other-prompt-form.tsx
  aSecondPrompt: "Eine zweite Anfrage",
  halfOfTheReadersSeeIt:
    "Die Hälfte der Leser sieht sie anstelle der ersten, und jeder sieht jedes Mal dieselbe. Ein leeres Feld ist wie in der ersten Anfrage. Ändert sich eine der beiden, beginnt der Vergleich von vorn.",
  writeASecondPrompt: "Mit einer zweiten Anfrage vergleichen",
  inALanguageThatOnlyTheFirstHas:
    "In einer Sprache, die nur die erste Anfrage hat, sehen alle deren Texte. Ein leeres Feld ist der Text der ersten Anfrage.",
  onePathALine: "Einer je Zeile, zum Beispiel /sport/*: * steht für beliebige Zeichen.",
  endWithTheFirst: "Beenden: die erste behalten",
  endWithTheSecond: "Beenden: die zweite nehmen",
  endTheComparison: "Den Vergleich beenden?",
  allReadersSeeTheFirst: "Ab jetzt sehen alle Leser die erste Anfrage. Die zweite wird gelöscht.",
  allReadersSeeTheSecond: "Ab jetzt sehen alle Leser die zweite Anfrage. Sie tritt an die Stelle der ersten.",
  endIt: "Beenden",
  goOnComparing: "Weiter vergleichen",

  // prompt-figures.tsx
  howReadersAnswer: "Wie Leser antworten",
  eachTimeItWasShown:
    "Jede Anzeige der letzten 90 Tage zählt. Jedes Ja, das der Browser dann bestätigt hat, zählt bei der Anfrage, auf die der Leser es gesagt hat.",
  noPromptWasShown: "Noch keine Anfrage wurde gezeigt.",
  theComparisonSince: ({ when }) => `Der Vergleich seit ${when}`,
  noDifference: "Noch ist kein Unterschied zu sehen.",
  verdicts: {
    own: "Die erste Anfrage ist besser: Zufall erklärt den Unterschied nicht.",
    other: "Die zweite Anfrage ist besser: Zufall erklärt den Unterschied nicht.",
  },
  first: "Erste Anfrage",
  second: "Zweite Anfrage",
  eachPromptAndRule: "Jede Anfrage und Regel",
  shown: "Gezeigt",
  allowed: "Erlaubt",
  rate: "Anteil",
  rule: ({ page, visit, seconds }) => `Ab Seite ${page} und Besuch ${visit}, nach ${seconds} s`,
  ruleOfScroll: ({ percent }) => `${percent} des Artikels`,
  ruleOfOnly: ({ paths }) => `nur auf ${paths}`,
  ruleOfNever: ({ paths }) => `nie auf ${paths}`,
};
