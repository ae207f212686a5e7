import type { alertTexts, reputationTexts } from "../../../../../src/dashboard-api/alert-messages.ts";

/** The texts of the overview's alerts in German, in ICU's format. */
export const alerts: Record<keyof typeof alertTexts | keyof typeof reputationTexts, string> = {
  alert_dpa_required:
    "Noch kann nichts gesendet werden: Inhaber:innen müssen in den Einstellungen die Vereinbarung annehmen.",
  alert_tenant_paused: "Alle Sendungen ruhen. Inhaber:innen können die Pause in den Einstellungen aufheben.",
  alert_site_paused: "Die Sendungen dieser Website ruhen. Heben Sie die Pause in ihren Einstellungen auf.",
  key_in_browser:
    "Der API-Schlüssel „{name}“ ({prefix}…) stand am {day} in einer Webseite, wo ihn jeder lesen kann. Legen Sie für Ihren Server einen neuen an, und löschen Sie dann diesen.",
  feed_asks:
    "Der Feed „{name}“ brachte sehr viele Einträge auf einmal und sendet nichts. Wählen Sie unter „Feeds“, was mit ihnen geschehen soll.",
  registrations_limited:
    "In einer Stunde kamen mehr als {quota, number} neue Leser:innen, weitere wurden abgelehnt. Falls Sie nicht gerade viele um ein Abo gebeten haben, können Inhaber:innen die falschen unter „Abos“ löschen.",
  push_service_blocked:
    "{pushService} nimmt zurzeit nichts von uns an ({reason}). Es wartet, und das Senden geht von selbst weiter.",
  push_service_refuses: "{pushService} hat in den letzten 24 Stunden {n, number} Pushs abgelehnt. {cause}",
  push_service_limits:
    "{pushService} nahm in den letzten 24 Stunden von dieser Website nur eine begrenzte Zahl in der Minute an. Der von Chrome tut das bei Websites, die stören, für 1, dann 7, dann 14 Tage. Was hilft: seltener senden, Themen anbieten und erst nach einem Klick um Erlaubnis fragen.",
  android_clicks_fell:
    "Auf Android wurde „{title}“ viel seltener angeklickt als sonst, anderswo so oft wie immer: Vielleicht verbirgt Chrome dort die Pushs dieser Website, wie es das mit mutmaßlichem Spam tut. Was hilft: seltener senden, und Titel, die sagen, was im Artikel steht.",
  late_on_screen:
    "Von den Pushs, die Leser in den letzten 7 Tagen sahen, waren weniger als 9 von 10 innerhalb von {goalSeconds, number} Sekunden auf dem Bildschirm. Das ist Ihr Ziel. Auf der Seite jedes Pushs steht, wie lange er brauchte. War schon die Hälfte zu spät, bitten Sie Ihren Betreiber, den Versand zu prüfen. Waren es nur die letzten, warteten sie auf ausgeschaltete Geräte: Lassen Sie Pushs früher ablaufen, oder ändern Sie das Ziel in den Einstellungen.",
  few_clicks:
    "Von 100 angezeigten Pushs der letzten 7 Tage wurde weniger als einer angeklickt. Browser halten Nachrichten, die niemand anklickt, für Störung und bremsen die Website. Senden Sie seltener, und bieten Sie Themen an.",
  many_dismissals:
    "Von 10 angezeigten Pushs der letzten 7 Tage wurden mehr als drei weggewischt. Browser bremsen Websites, deren Nachrichten weggewischt werden. Senden Sie seltener, und bieten Sie Themen an.",
  many_leave:
    "Von 100 Abos gingen in den letzten 7 Tagen mehr als drei verloren. Browser entziehen Websites, die viele abbestellen, die Erlaubnis. Senden Sie seltener, und fragen Sie erst nach einem Klick um Erlaubnis.",
  many_nudges:
    "In den letzten 7 Tagen kamen mehr als 10 Pushs am Tag an. Browser bremsen Websites, die viel senden und wenig besucht werden. Senden Sie seltener, und bieten Sie Themen an.",
  many_prompts:
    "Bei mehr als der Hälfte der Besuche der letzten 7 Tage erschien die Frage. Browser bremsen Websites, die viel fragen. Lassen Sie sie später kommen, länger ruhen oder nur nach einem Klick.",
  many_denials:
    "Mehr als 4 von 10 Lesern, die der Browser in den letzten 7 Tagen fragte, sagten nein. Browser stellen die Frage der Website dann unauffällig. Sagen Sie vorher, was Leser bekommen, oder fragen Sie nur nach einem Klick.",
};
