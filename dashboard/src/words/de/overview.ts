import type { overview as english } from "../en/overview.ts";
import { plural } from "../plural.ts";

export const overview: typeof english = {
  // standing.tsx
  howReadersTakeTheNudges: "Wie die Pushs ankommen",
  inTheLastDays: "Die letzten 7 Tage: Danach beurteilen auch Browser eine Website",
  clickedOfShown: ({ clicked }) => `${clicked} der angezeigten wurden angeklickt`,
  dismissedOfShown: ({ dismissed }) => `${dismissed} der angezeigten wurden weggewischt`,
  leftInTheLastDays: ({ left, share }) => `${plural(left, "Abo ging", "Abos gingen")} verloren (${share})`,
  nudgesADay: ({ nudges }) => `${nudges} Pushs am Tag je Abo`,
  promptedOfVisits: ({ visits, prompted }) => `Etwa ${visits} Besuche; bei ${prompted} erschien die Frage`,
  answersOfAsked: ({ asked, granted, denied }) => `Der Browser fragte ${asked}-mal: ${granted} ja, ${denied} nein`,
  // period-figures.tsx
  whoCameAndWhoLeft: "Wer kam und wer ging",
  period: "Zeitraum",
  days: ({ one }) => `${one} Tage`,
  aYear: "1 Jahr",
  reachableSubscribers: "Erreichbare Abos",
  testDeviceBesides: ({ testDevices }) => `dazu ${plural(testDevices, "Testgerät", "Testgeräte")}`,
  joinedInDays: ({ days }) => `Neu in ${days} Tagen`,
  noneWasFoundGone: "Keines ging verloren",
  wasFoundGone: ({ left }) => `${plural(left, "ging", "gingen")} verloren`,
  nudgesSent: "Gesendete Pushs",
  messageTaken: ({ reached }) => `${plural(reached, "Nachricht", "Nachrichten")} angenommen`,
  clicks: "Klicks",
  ofThoseReached: ({ clicked }) => `${clicked} der Erreichten`,
  noneInTheDaysBefore: ({ days }) => `Keine in den ${days} Tagen davor`,
  againstTheDaysBefore: ({ sign, abs, days }) => `${sign}${abs} % gegenüber den ${days} Tagen davor`,
};
