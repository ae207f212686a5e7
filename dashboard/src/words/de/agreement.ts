import type { agreement as english } from "../en/agreement.ts";

/** Eine Übersetzung: vereinbart wird der englische Text. */
export const agreement: typeof english = {
  title: "Vereinbarung zur Auftragsverarbeitung",
  lead: "Der Verlag bestimmt, wofür Leserinnen und Leser Pushs bekommen (Verantwortlicher); diese Installation verarbeitet die Daten allein nach seinen Weisungen (Auftragsverarbeiter, Artikel 28 DSGVO).",
  original: "Dies ist eine Übersetzung. Im Zweifel gilt der englische Text.",
  parts: [
    {
      head: "Was gespeichert wird:",
      text: "die Adresse und die Schlüssel, die der Browser für Push-Nachrichten herausgibt, die gewählten Themen und der Zeitpunkt. Kein Name, keine E-Mail-Adresse, keine IP-Adresse.",
    },
    {
      head: "Wofür:",
      text: "um die Pushs des Verlags an alle zu senden, die sie haben wollten, und um zu zählen, was aus ihnen wurde.",
    },
    {
      head: "Wer es noch sieht:",
      text: "der Push-Dienst des jeweiligen Browsers (Google, Mozilla, Apple, Microsoft); er bekommt die Nachricht nur für diesen Browser verschlüsselt.",
    },
    {
      head: "Wie lange:",
      text: "bis zur Abmeldung, oder bis der Push-Dienst meldet, dass es den Browser nicht mehr gibt; dann wird sofort gelöscht.",
    },
    {
      head: "Der Verlag",
      text: "holt die Einwilligung ein, informiert hierüber und beantwortet Anfragen der Leserinnen und Leser;",
    },
    {
      head: "der Betreiber",
      text: "schützt die Maschine, ihren geheimen Schlüssel und ihre Sicherungen und meldet eine Verletzung des Datenschutzes unverzüglich.",
    },
  ],
};
