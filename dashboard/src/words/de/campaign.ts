import type { campaign as english } from "../en/campaign.ts";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";

export const campaign: typeof english = {
  // campaign-actions.tsx
  cancelIt: "Absagen",
  edit: "Bearbeiten",
  schedule: "Planen…",
  changeTheTime: "Zeit ändern…",
  sendNow: "Jetzt senden…",
  cancelThisCampaign: "Diese Kampagne absagen?",
  cancelTheCampaign: "Kampagne absagen",
  itWillNotGoOut: "Sie wird nicht gesendet, und das lässt sich nicht rückgängig machen.",
  duplicate: "Duplizieren",
  sendACorrection: "Korrektur senden…",

  // group-panel.tsx
  sentToSites: ({ n }) => `An ${plural(n, "Website", "Websites")} gesendet`,
  forSites: ({ n }) => `Für ${plural(n, "Website", "Websites")}`,
  site: "Website",
  clicked: "Geklickt",
  together: "Zusammen",
  stopAll: "Alle stoppen",
  stopAllSends: "Den Versand an alle Websites stoppen?",

  // push-services.tsx
  byPushService: "Nach Push-Dienst",
  browsers: "Browser",
  reached: "Erreicht",
  notLookedUp: "Nicht nachgesehen",
  reachedOf: ({ accepted, size }) => `${accepted} von ${size}`,

  // live-run.tsx
  statuses: {
    queued: "Beginnt gleich",
    sending: "Läuft",
    stopping: "Wird gestoppt",
    completed: "Gesendet",
    stopped: "Gestoppt",
    failed: "Gescheitert",
  },
  progress: "Verlauf",
  paused: "Angehalten",
  connectionWasLost:
    "Die Verbindung zum Dienst ist abgebrochen: Diese Zahlen sind vielleicht alt. Der Versand läuft weiter; die Seite verbindet sich von selbst wieder.",
  doneOf: ({ done, people, share }) => `${done} von ${people} · ${share}`,
  endedWith: ({ done, people, share }) => `Erreicht: ${done} von ${people} · ${share}`,
  began: ({ when }) => `Begonnen ${when}`,
  beganAndTook: ({ when, lasted }) => `Begonnen ${when}, Dauer ${lasted}`,
  forTheFirst: ({ when }) => `${when} für die ersten Abos`,
  afterTheirHour: ({ lasted }) => `${lasted} nach der eigenen Uhrzeit`,
  publisherIsPaused: ({ end }) =>
    `Der Versand dieses Verlags ist angehalten. Er geht von selbst weiter, wenn die Pause in den Einstellungen aufgehoben wird. Eine Pause verlängert ihn nicht: Wer den Push bis ${end} nicht hat, bekommt ihn nicht mehr.`,
  siteIsPaused: ({ end }) =>
    `Der Versand dieser Website ist angehalten. Er geht von selbst weiter, wenn die Pause in den Einstellungen aufgehoben wird. Eine Pause verlängert ihn nicht: Wer den Push bis ${end} nicht hat, bekommt ihn nicht mehr.`,
  repeated: "Wiederholt",
  stop: "Stoppen",
  stopThisSend: "Diesen Versand stoppen?",
  stopIt: "Stoppen",
  whatAStopDoes:
    "Nach einer Sekunde bekommt ihn niemand mehr. Wer ihn hat, behält ihn, und ein gestoppter Versand lässt sich nicht fortsetzen.",
  outcomes: "Ergebnisse",
  whySomeWereNotReached: "Warum manche nicht erreicht wurden",
  whySomeWait: "Warum manche warten",
  csv: "CSV",
  pushServiceSaid: ({ said }) => `Der Push-Dienst sagt dazu: ${said}`,
  tookItForEverybody: "Die Push-Dienste haben ihn für alle übernommen.",
  reason: "Grund",
  pushService: "Push-Dienst",
  people: "Personen",

  // receipts.tsx, receipts-chart.tsx
  receipts: {
    displayed: { label: "Angezeigt", explanation: "Wo der Browser es meldet; Safari tut es nicht" },
    clicked: { label: "Geklickt", explanation: "Der Artikel wurde geöffnet" },
    dismissed: { label: "Weggewischt", explanation: "Viele Telefone melden es nicht" },
    unsubscribed: { label: "Abgemeldet", explanation: "Von diesem Push aus abgestellt" },
  },
  whatReadersDid: "Was die Leser:innen taten",
  nothingIsCounted: "Diese Website zählt nicht, was Leser mit ihren Pushes tun.",
  noReportYet:
    "Noch hat sich kein Browser gemeldet. Meldungen kommen von Websites mit der Einbindung, von der ersten Minute an eine Woche lang.",
  ofThoseReached: "der Erreichten",
  ofThoseWhoseBrowsersReport: "der Erreichten, deren Browser es meldet",
  seconds: ({ n }) => plural(n, "Sekunde", "Sekunden"),
  minutes: ({ n }) => plural(n, "Minute", "Minuten"),
  hours: ({ n }) => plural(n, "Stunde", "Stunden"),
  days: ({ n }) => plural(n, "Tag", "Tagen"),
  afterClick: {
    title: "Nach dem Klick",
    readers: "Leser",
    ofClicks: "Anteil der Klicks",
    known: {
      read: "Bis zum Ende gelesen",
      second_page: "Zweite Seite geöffnet",
      registered: "Registriert",
      subscribed: "Abonniert",
    },
  },
  buttons: ({ list }) => `Klicks auf Knöpfe: ${list}`,
  onTheScreen: ({ displayed, half, most, nearlyAll }) =>
    `Von den ${displayed} angezeigten war die Hälfte innerhalb von ${half} auf dem Bildschirm, 90 % innerhalb von ${most}, 99 % innerhalb von ${nearlyAll}.`,
  laterThanTheGoal: ({ goal }) => `Das Ziel von 90 % innerhalb von ${goal} wurde verfehlt.`,
  usual: ({ age, displayed, clicked }) =>
    `Auf dieser Website üblich nach ${age}: ${displayed} angezeigt, ${clicked} geklickt.`,

  // request-panel.tsx
  atOnce: "sofort",
  itWaitsForASecondPerson: "Wartet auf eine zweite Person",
  youWantToSend: ({ people, when, ends }) =>
    rich`Sie möchten ihn an ${people} senden, ${when}. Jemand anderes aus der Redaktion muss zustimmen. Die Anfrage endet ${ends}.`,
  somebodyWantsToSend: ({ who, people, when, ends }) =>
    rich`${who} möchte ihn an ${people} senden, ${when}. Die Anfrage endet ${ends}.`,
  approveAndSend: "Zustimmen und senden",
  approveTheTime: "Der Zeit zustimmen",
  takeItBack: "Zurückziehen",
  refuse: "Ablehnen",

  // updates-panel.tsx
  updates: "Aktualisierungen auf dem Bildschirm",
  whatAnUpdateDoes:
    "Ein Spielstand, ein Auszählungsstand: Der Push ändert sich dort, wo er noch auf dem Bildschirm steht, ohne Ton. Wer ihn geschlossen oder geöffnet hat und wer Safari nutzt, bekommt keine Aktualisierung.",
  updateTheNudge: "Push aktualisieren",
  updateThisNow: "Push aktualisieren?",
  whoGetsTheUpdate: ({ text }) =>
    rich`Alle, die ihn noch auf dem Bildschirm haben, sehen stattdessen ${text}. Zehn Sekunden lang können Sie das rückgängig machen.`,
  updateIt: "Aktualisieren",
  notYet: "Noch nicht",
  updateStartsIn: ({ s }) => `Geht in ${s} s hinaus`,
  undoTheUpdate: "Rückgängig",

  // headline-test.tsx
  headlineTest: {
    title: "Titel im Vergleich",
    headline: "Titel",
    readers: "Abos",
    seen: "Gesehen",
    clicked: "Angeklickt",
    best: "Chance, der beste zu sein",
    forAllOthers: "für alle anderen",
    runsUntil: ({ when }) =>
      `Ein Teil der Abos hat einen der Titel. Alle anderen bekommen den besseren, sobald er feststeht, spätestens ${when}.`,
    halted: {
      first_accepted:
        "Ein Teil der Abos bekommt einen der Titel. Alle anderen warten: Die Zeit zählt ab dem ersten angenommenen Push.",
      pause:
        "Die Pause hält den Vergleich an. Alle anderen warten, und der Vergleich geht weiter, wenn die Pause endet.",
      push_services:
        "Die Push-Dienste nehmen gerade nichts an; deshalb ruht der Vergleich. Alle anderen warten, und er geht weiter, sobald die Push-Dienste wieder annehmen.",
    },
    giveToAll: "Jetzt allen anderen geben",
    giveThisToAll: "Allen anderen jetzt diesen Titel geben?",
    giveIt: "Diesen geben",
    goOnComparing: "Weiter vergleichen",
    whatGivingDoes: ({ headline }) =>
      rich`Der Vergleich endet, und alle anderen bekommen sofort ${headline}. Das lässt sich nicht zurücknehmen; den Versand können Sie noch stoppen.`,
    endings: {
      by_hand: "Ein Mitglied hat den Vergleich beendet und gewählt. Alle anderen bekamen diesen Titel.",
      winner: "Ein Titel wurde klar öfter angeklickt. Alle anderen bekamen ihn.",
      no_difference:
        "Kein Titel war klar besser: Der Unterschied kann Zufall sein. Alle anderen bekamen den mit den meisten Klicks je Anzeige, bei Gleichstand den ersten.",
      not_measured: "Es wurde kein Klick gezählt, also war nichts zu vergleichen. Alle anderen bekamen den ersten.",
      too_few: "Zu wenige Abos, um Titel zu vergleichen. Alle anderen bekamen den ersten.",
      stopped: "Das Senden endete, bevor die Titel verglichen werden konnten. Alle anderen bekamen nichts.",
    },
  },

  // waves.tsx
  waves: {
    title: "Wo die Abos sind",
    eachGetsIt: ({ when }) => `Jedes Abo bekommt ihn zu seiner Ortszeit: ${when}.`,
    nextGetIt: ({ people, when }) => `Als Nächstes: ${people}, ${when}.`,
    goesOut: "Geht hinaus",
    clocks: "Ihre Uhren",
    hourHadPassed: "Die Zeit war vorbei",
    readers: "Abos",
    accepted: "Angenommen",
    state: "Stand",
    states: {
      waiting: "Wartet",
      sending: "Wird gesendet",
      done: "Gesendet",
      stopped: "Gestoppt",
      missed: "Verpasst",
    },
  },

  // sent-by.tsx
  sentBy: ({ who }) => rich`Gesendet von ${who}`,
  sentByItsSchedule: "Gesendet nach Plan",
  sentAtItsTime: ({ who }) => rich`Gesendet zur Zeit, gesetzt von ${who}`,
};
