import type { calendar as english } from "../en/calendar.ts";

export const calendar: typeof english = {
  calendar: "Kalender",
  whatWasSent: ({ timeZone }) => `Was gesendet wurde und was geplant ist, in der Zeit von ${timeZone}`,
  earlier: "Früher",
  thisMonth: "Dieser Monat",
  later: "Später",
  nothing: "Es wurde nichts gesendet, und nichts ist geplant.",
  earlierThisMonth: "Früher in diesem Monat",
  more: ({ n }) => `${n} weitere`,
  planOn: ({ day }) => `Für ${day} planen`,
  howToPlan:
    "Klicken Sie auf einen Tag, um dafür zu planen. Ziehen Sie einen geplanten Push auf einen anderen Tag, um ihn zu verschieben.",

  // recurring-sends.tsx
  recurringSends: "Regelmäßige Pushs",
  recurringLead:
    "Zu diesen Zeiten sendet Pressbell den neuesten Artikel eines Feeds oder Themas, wenn es einen neuen gibt und das Urteil dafür ist.",
  noRecurringSend: "Es gibt noch keinen.",
  newRecurringSend: "Neuer regelmäßiger Push",
  newestOf: ({ name }) => `Der neueste Artikel von ${name}`,
  everyDay: "Täglich",
  everyWeekday: "Montag bis Freitag",
  daysAt: ({ days, time }) => `${days} um ${time}`,
  nextIs: ({ when }) => `Nächster: ${when}`,
  isOff: "Ausgeschaltet",
  sourceIsOff: "Der Feed ist ausgeschaltet, oder das Thema ist stillgelegt: Es kommt kein neuer Artikel.",
  switchOf: ({ name }) => `Eingeschaltet: ${name}`,
  change: "Ändern",
  changeOf: ({ name }) => `Ändern: ${name}`,
  remove: "Entfernen",
  removeOf: ({ name }) => `Entfernen: ${name}`,
  removeThis: "Diesen regelmäßigen Push entfernen?",
  removeIt: "Entfernen",
  whatStays: ({ name }) =>
    `${name} wird zu dieser Zeit nicht mehr gesendet. Gesendete Pushs bleiben im Kalender; Zeiten, zu denen nichts gesendet wurde, verschwinden.`,

  // recurring-send-form.tsx
  changeRecurringSend: "Diesen regelmäßigen Push ändern",
  days: "Tage",
  time: "Uhrzeit",
  timeIs: ({ timeZone }) => `In der Zeit von ${timeZone}`,
  source: "Der neueste Artikel von",
  feeds: "Feeds",
  topics: "Themen",
  choose: "Feed oder Thema wählen",
  whatIsLeft:
    "Gesendet werden Artikel, die ein Feed vorgeschlagen oder wegen einer Grenze zurückgehalten hat. Ein Feed, der selbst sendet, lässt keine übrig: Lassen Sie ihn nur vorschlagen.",
  save: "Speichern",
  cancel: "Abbrechen",

  // occurrence.tsx
  outcomes: {
    sent: "Gesendet",
    nothing_new: "Kein neuer Artikel",
    skipped: "Nicht gesendet",
    refused: "Abgelehnt",
    missed: "Verpasst",
  },
  toCome: "Geplant",
  whyNothing: {
    sent: "Er wurde gesendet.",
    nothing_new: "Zu dieser Zeit gab es keinen neuen Artikel, also wurde nichts gesendet.",
    skipped: "Das Urteil war gegen den neuesten Artikel, also wurde nichts gesendet.",
    refused: "Der neueste Artikel konnte nicht gesendet werden:",
    missed: "Pressbell lief zu dieser Zeit nicht, auch nicht innerhalb einer Stunde danach.",
  },
};
