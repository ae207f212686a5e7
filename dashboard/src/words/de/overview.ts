import type { overview as english } from "../en/overview.ts";
import { plural } from "../plural.ts";

export const overview: typeof english = {
  // first-steps.tsx
  firstSteps: {
    heading: "Erste Schritte",
    done: ({ finished, all }) => `${finished} von ${all} erledigt`,
    allDone: "Alles ist eingerichtet.",
    isDoneWord: "erledigt",
    isOpenWord: "offen",
    line: {
      title: "Die Zeile in Ihrer Website",
      lead: "Eine Zeile im Kopf jeder Seite. Die Leser:innen werden dann gefragt, ob sie Pushs wollen.",
      act: "Zeile ansehen",
    },
    worker: {
      title: "Die Worker-Datei auf Ihrer Website",
      lead: "Eine kleine Datei, die Pushs anzeigt, wenn keine Ihrer Seiten offen ist.",
      act: "Datei ansehen",
    },
    testDevice: {
      title: "Ein Testgerät",
      lead: "Ihr eigenes Telefon oder Ihr Browser. Es bekommt einen Push vor den Leser:innen.",
      act: "Testgerät hinzufügen",
    },
    reader: {
      title: "Die erste Leserin oder der erste Leser",
      lead: "Öffnen Sie Ihre Website und sagen Sie Ja. Die Abos, die Sie schon haben, können Sie importieren.",
      act: "Abos importieren",
    },
    notification: {
      title: "Der erste Push",
      lead: "Fügen Sie die Adresse eines Artikels ein. Gesendet wird erst, wenn Sie bestätigen.",
      act: "Schreiben",
    },
  },

  // sender-reputation.tsx
  howReadersTakeTheNudges: "Wie die Pushs ankommen",
  inTheLastDays: "Die letzten 7 Tage: Danach beurteilen auch Browser eine Website",
  clickedOfShown: ({ clicked }) => `${clicked} der angezeigten wurden angeklickt`,
  dismissedOfShown: ({ dismissed }) => `${dismissed} der angezeigten wurden weggewischt`,
  leftInTheLastDays: ({ left, share }) => `${plural(left, "Abo ging", "Abos gingen")} (${share})`,
  nudgesADay: ({ nudges }) => `${nudges} Pushs am Tag je Abo`,
  promptedOfVisits: ({ visits, prompted }) => `Etwa ${visits} Besuche; bei ${prompted} erschien die Frage`,
  answersOfAsked: ({ asked, granted, denied }) => `Der Browser fragte ${asked}-mal: ${granted} ja, ${denied} nein`,
  // report.tsx
  report: {
    title: "Bericht",
    lead: "Was in den letzten 30 Tagen gesendet wurde. Ein Push mit mehreren Schlagwörtern oder Themen zählt bei jedem.",
    grouped: "Nach",
    groups: { label: "Schlagwort", topic: "Thema", class: "Klasse", sender: "Wer gesendet hat", day: "Tag" },
    nothing: "Es wurde nichts gesendet.",
    readersReached: "Erreicht",
    clickRate: "Klickrate",
    none: "Ohne",
  },
  // send-frequency.tsx
  sendFrequency: "Wie oft senden",
  byWeek: "Woche",
  nudges: "Pushs",
  clicksANudge: "Klicks je Push",
  readersLost: "Gegangen",
  byNudgesADay: "Pushs am Tag",
  orMore: ({ n }) => `${n} oder mehr`,
  daysOfThat: "Tage",
  ofThoseShown: "Angeklickt von den angezeigten",
  clicksOfThousand: "Klicks je 1.000 Abos",
  lostOfThousand: "Gegangen je 1.000 Abos",
  tooFewDays: ({ days }) =>
    `Ob sich mehr Pushs am Tag lohnen, lässt sich noch nicht sagen: Dazu braucht es ${days} Tage mit wenigen und ${days} mit mehr.`,
  compared: (of) =>
    `Von 1.000 Abos kamen an Tagen mit bis zu ${plural(of.nudges, "Push", "Pushs")} ${of.clicksFewer} Klicks, und ${of.lostFewer} gingen; an Tagen mit mehr waren es ${of.clicksMore} und ${of.lostMore}.`,
  advice: {
    send_fewer: ({ nudges }) =>
      `Senden Sie höchstens ${nudges} am Tag: Mehr kostet Sie etwas und bringt nicht mehr Klicks.`,
    send_more: () => "Mehr Pushs lohnen sich hier: Sie bringen mehr Klicks, und nicht mehr Abos gehen.",
    trade_off: () => "Mehr Pushs bringen mehr Klicks und kosten mehr Abos. Wägen Sie das eine gegen das andere ab.",
    no_difference: () => "Der Unterschied kann Zufall sein: Daraus folgt kein Rat.",
  },
  // holdouts.tsx
  holdouts: {
    title: "Was Pushs bringen und kosten",
    lead: "Von 1.000 Abos. Die Wirkung liegt in 19 von 20 Fällen zwischen den Zahlen in Klammern; liegt die 0 dazwischen, kann sie Zufall sein.",
    withNudges: "Mit Push",
    without: "Ohne Push",
    effect: "Wirkung",
    range: ({ middle, low, high }) => `${middle} (${low} bis ${high})`,
    visits: "Kommen an einem Tag",
    left: "Gehen in vier Wochen",
    counted: ({ heldOut, days }) =>
      `Ausgelassen: ${plural(heldOut, "Abo", "Abos")}. Gezählt an ${plural(days, "Tag", "Tagen")}.`,
    leftLater: "Wie viele gehen, zeigt sich eine Woche nach vier vollen Wochen.",
    notCounted: ({ name }) =>
      `${name}: Die ersten Zahlen kommen binnen zwei Tagen, bei einer neuen Website binnen fünf Wochen.`,
  },
  // period-figures.tsx
  readersInAll: "Leser:innen insgesamt",
  readers: "Leser:innen",
  readersFromTo: ({ first, last }) => `Von ${first} auf ${last} Leser:innen.`,
  clicksAndRate: "Klicks und Klickrate",
  clickRate: "Klickrate",
  byDaysOfSending: "Zu dem, was an jedem Tag gesendet wurde, gleich wann geklickt wurde",
  byDaysOfSendingOfWeek: "Zu dem, was in jeder Woche gesendet wurde, gleich wann geklickt wurde",
  clicksOfPeriod: ({ clicked, rate }) => `${clicked} Klicks, ${rate} der Erreichten.`,
  whoCameAndWhoLeft: "Wer kam und wer ging",
  period: "Zeitraum",
  days: ({ one }) => `${one} Tage`,
  aYear: "1 Jahr",
  reachableSubscribers: "Erreichbare Abos",
  testDeviceBesides: ({ testDevices }) => `dazu ${plural(testDevices, "Testgerät", "Testgeräte")}`,
  joinedInDays: ({ days }) => `Neu in ${days} Tagen`,
  noneHasLeft: "Keines ging",
  haveLeft: ({ left }) => `${plural(left, "Abo ging", "Abos gingen")}`,
  nudgesSent: "Gesendete Pushs",
  messageTaken: ({ reached }) => `${plural(reached, "Nachricht", "Nachrichten")} angenommen`,
  clicks: "Klicks",
  ofThoseReached: ({ clicked }) => `${clicked} der Erreichten`,
  noneInTheDaysBefore: ({ days }) => `Keine in den ${days} Tagen davor`,
  againstTheDaysBefore: ({ sign, abs, days }) => `${sign}${abs} % gegenüber den ${days} Tagen davor`,
};
