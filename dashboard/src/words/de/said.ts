import type { said as english } from "../en/said.ts";
import { formatOf } from "../message-format.ts";
import { patternOf } from "../pattern.ts";
import { decision } from "./messages/decision.ts";
import { feeds } from "./messages/feeds.ts";

/**
 * The English sentences of the service and their translations. `{1}`, `{2}` …: parts that differ. A part that is
 * itself a sentence of this list is translated too.
 */
const sentences: [sentence: string, translation: string][] = [
  // Delivery: why some messages were not delivered or wait.
  ["Taken by the push service.", "Vom Push-Dienst übernommen."],
  [
    "The push service no longer knows the subscription. It was removed.",
    "Der Push-Dienst kennt das Abo nicht mehr. Es wurde entfernt.",
  ],
  [
    "The reader unsubscribed in the browser. The subscription was removed.",
    "Im Browser abgemeldet. Das Abo wurde entfernt.",
  ],
  [
    "The browser shows an update beside the notification instead of in its place, so none is sent there.",
    "Der Browser zeigt eine Aktualisierung neben dem Push statt an seiner Stelle. Daher geht dort keine hin.",
  ],
  [
    "The browser registered again during the send and got the notification through its other registration.",
    "Der Browser hat sich während des Versands neu angemeldet und den Push über seine andere Anmeldung bekommen.",
  ],
  [
    "The reader has closed or opened the notification, so an update would bring it back.",
    "Der Leser hat den Push geschlossen oder geöffnet. Eine Aktualisierung brächte ihn zurück.",
  ],
  ["The reader has muted this story.", "Der Leser hat dieses Thema stumm geschaltet."],
  [
    "These are the reader's own quiet hours. It comes in their digest, if they want one.",
    "Der Leser hat gerade Ruhezeit. Der Push kommt in seiner Sammelnachricht, wenn er eine will.",
  ],
  [
    "The site sends a reader no more of this class in an hour, a day or a week. It comes in their digest, if they want one.",
    "Die Website sendet je Leser:in nicht mehr von dieser Klasse in einer Stunde, einem Tag oder einer Woche. Der Push kommt in der Sammelnachricht, wo eine gewünscht ist.",
  ],
  [
    "The site leaves the reader out of this class for up to four weeks, to measure what its notifications win.",
    "Die Website sendet diesem Abo bis zu vier Wochen lang nichts von dieser Klasse, um zu messen, was sie bringt.",
  ],
  [
    "The reader wants no further notifications today. It comes in their digest, if they want one.",
    "Der Leser will heute keine weiteren. Der Push kommt in seiner Sammelnachricht, wenn er eine will.",
  ],
  [
    "The reader left after the send and was not notified.",
    "Nach dem Beginn des Versands abgemeldet; der Push ging nicht hin.",
  ],
  [
    "A fault of Pressbell. Report it with the run's id.",
    "Ein Fehler von Pressbell. Melden Sie ihn mit der Kennung des Versands.",
  ],
  ["The push service refuses the request as malformed.", "Der Push-Dienst lehnt die Anfrage als fehlerhaft ab."],
  [
    "The push service takes no message of this size. Shorten the text.",
    "Der Push-Dienst nimmt nichts von dieser Größe. Kürzen Sie den Text.",
  ],
  [
    "The push service refuses our signature. Check VAPID_SUBJECT and the clock.",
    "Der Push-Dienst lehnt unsere Unterschrift ab. Wer Pressbell betreibt, prüfe VAPID_SUBJECT und die Uhr.",
  ],
  [
    "The subscription belongs to another VAPID key: was the site's key changed?",
    "Das Abo gehört zu einem anderen VAPID-Schlüssel: Wurde der Schlüssel der Website geändert?",
  ],
  ["The push service redirects, which is never followed.", "Der Push-Dienst leitet weiter; dem wird nie gefolgt."],
  ["The push service refuses for another reason.", "Der Push-Dienst lehnt aus einem eigenen Grund ab."],
  ["The push service is no longer listed in PUSH_SERVICES.", "Der Push-Dienst steht nicht mehr in PUSH_SERVICES."],
  ["The subscription's key is not a point on P-256.", "Der Schlüssel des Abos ist beschädigt (kein Punkt auf P-256)."],
  [
    "The push service took it and threw it away: the reader has switched notifications off.",
    "Der Push-Dienst hat ihn übernommen und verworfen: Die Benachrichtigungen sind abgestellt.",
  ],
  ["The time to live ended before the push service took it.", "Die Zeit war um, bevor der Push-Dienst ihn übernahm."],
  [
    "The push service accepts nothing for this reader before the time to live ends.",
    "Der Push-Dienst nimmt für diese Person nichts mehr an, bis die Zeit um ist.",
  ],
  [
    "The time to live ended while the push service took only so many messages from this site. Chrome's does so with sites that readers find disturbing, for 1, then 7, then 14 days. What helps: fewer notifications, topics to choose from, and a permission prompt only after a click.",
    "Die Zeit war um, während der Push-Dienst von dieser Website nur eine begrenzte Zahl annahm. Der von Chrome tut das bei Websites, die stören, für 1, dann 7, dann 14 Tage. Was hilft: seltener senden, Themen anbieten und erst nach einem Klick um Erlaubnis fragen.",
  ],
  ["The run was stopped first.", "Der Versand wurde vorher gestoppt."],
  [
    "Perhaps taken: its sender died or the connection broke, and it was not sent again.",
    "Vielleicht übernommen: Der Absender oder die Verbindung brach ab, und es wurde nicht noch einmal gesendet.",
  ],
  [
    "The audience could not be read to its end, as the database failed or was too slow again and again. These readers were not notified. Report it with the run's id.",
    "Die Zielgruppe war nicht zu Ende zu lesen, weil die Datenbank immer wieder versagte oder zu langsam war. Diese Personen haben ihn nicht bekommen. Melden Sie es mit der Kennung des Versands.",
  ],
  [
    "The push service refuses our signature, so nothing is sent there for minutes at a time. Check VAPID_SUBJECT and the clock.",
    "Der Push-Dienst lehnt unsere Unterschrift ab; dorthin wird minutenlang nichts gesendet. Wer Pressbell betreibt, prüfe VAPID_SUBJECT und die Uhr.",
  ],
  [
    "The push service refuses the site's VAPID key, so nothing is sent there for minutes at a time. Was the key changed?",
    "Der Push-Dienst lehnt den VAPID-Schlüssel der Website ab; dorthin wird minutenlang nichts gesendet. Wurde der Schlüssel geändert?",
  ],
  [
    "The push service asks us to wait until {1}. It is tried again then; what the time to live ends before that expires.",
    "Der Push-Dienst bittet, bis {1} zu warten. Dann wird es noch einmal versucht; wessen Zeit vorher um ist, bekommt ihn nicht.",
  ],
  [
    "The push service takes only so many messages a minute from this site, and asks us to wait until {1}. What the time to live ends before that expires. Chrome's does so with sites that readers find disturbing, for 1, then 7, then 14 days. What helps: fewer notifications, topics to choose from, and a permission prompt only after a click.",
    "Der Push-Dienst nimmt von dieser Website nur eine begrenzte Zahl in der Minute an und bittet, bis {1} zu warten. Wessen Zeit vorher um ist, bekommt ihn nicht. Der von Chrome tut das bei Websites, die stören, für 1, dann 7, dann 14 Tage. Was hilft: seltener senden, Themen anbieten und erst nach einem Klick um Erlaubnis fragen.",
  ],
  [
    "The push service fails, is silent, or takes no more for these readers just now. It is tried again until the time to live ends.",
    "Der Push-Dienst versagt, schweigt oder nimmt für diese Personen gerade nichts an. Es wird weiter versucht, bis die Zeit um ist.",
  ],
  [
    "Nothing can be sent yet: an owner has to accept the data processing agreement in the settings.",
    "Noch kann nichts gesendet werden: Inhaber:innen müssen in den Einstellungen die Vereinbarung annehmen.",
  ],
  [
    "All sends are paused. An owner can lift the pause in the settings.",
    "Alle Sendungen ruhen. Inhaber:innen können die Pause in den Einstellungen aufheben.",
  ],
  [
    "Sends of this site are paused. Lift the pause in its settings.",
    "Die Sendungen dieser Website ruhen. Heben Sie die Pause in ihren Einstellungen auf.",
  ],
  [
    "The API key “{1}” ({2}…) was seen in a web page on {3}, where everybody can read it. Create a new one for your server, then delete this one.",
    "Der API-Schlüssel „{1}“ ({2}…) stand am {3} in einer Webseite, wo ihn jeder lesen kann. Legen Sie für Ihren Server einen neuen an, und löschen Sie dann diesen.",
  ],
  [
    "The feed “{1}” brought very many items at once, and sends nothing. Choose under Feeds what to do with them.",
    "Der Feed „{1}“ brachte sehr viele Einträge auf einmal und sendet nichts. Wählen Sie unter „Feeds“, was mit ihnen geschehen soll.",
  ],
  [
    "More than {1} new readers came within an hour, and further ones were refused. If you did not just ask many readers to subscribe, an owner can delete the false ones under Subscribers.",
    "In einer Stunde kamen mehr als {1} neue Leser:innen, weitere wurden abgelehnt. Falls Sie nicht gerade viele um ein Abo gebeten haben, können Inhaber:innen die falschen unter „Abos“ löschen.",
  ],
  [
    "{1} accepts no messages from us for now ({2}). They wait, and sending continues by itself.",
    "{1} nimmt zurzeit nichts von uns an ({2}). Es wartet, und das Senden geht von selbst weiter.",
  ],
  ["{1} refused {2} messages in the last 24 hours. {3}", "{1} hat in den letzten 24 Stunden {2} Pushs abgelehnt. {3}"],
  [
    "{1} took only so many messages a minute from this site in the last 24 hours. Chrome's does so with sites that readers find disturbing, for 1, then 7, then 14 days. What helps: fewer notifications, topics to choose from, and a permission prompt only after a click.",
    "{1} nahm in den letzten 24 Stunden von dieser Website nur eine begrenzte Zahl in der Minute an. Der von Chrome tut das bei Websites, die stören, für 1, dann 7, dann 14 Tage. Was hilft: seltener senden, Themen anbieten und erst nach einem Klick um Erlaubnis fragen.",
  ],
  [
    "On Android far fewer readers than usual clicked “{1}”, while the others clicked as always: Chrome may hide notifications of this site there, as it does with what it takes for spam. What helps: fewer notifications, and titles that say what the story says.",
    "Auf Android wurde „{1}“ viel seltener angeklickt als sonst, anderswo so oft wie immer: Vielleicht verbirgt Chrome dort die Pushs dieser Website, wie es das mit mutmaßlichem Spam tut. Was hilft: seltener senden, und Titel, die sagen, was im Artikel steht.",
  ],
  [
    "The last fire drill had no canary: its test device is no longer subscribed. An owner can choose another one in the settings.",
    "Dem letzten Probealarm fehlte das Prüfgerät: Es hat nicht mehr abonniert. Eine Inhaberin oder ein Inhaber kann in den Einstellungen ein anderes wählen.",
  ],
  [
    "The last fire drill was not planned within {1} minutes: no worker took it up. Nothing is sent to readers either. Ask your operator whether a worker runs and reaches the database.",
    "Der letzte Probealarm wurde in {1} Minuten nicht geplant: Kein Worker nahm ihn an. Auch an Leser:innen geht so nichts. Fragen Sie Ihren Betreiber, ob ein Worker läuft und die Datenbank erreicht.",
  ],
  [
    "The last fire drill was planned, but not sent within {1} minutes. Ask your operator whether a worker runs, and what the run waits for.",
    "Der letzte Probealarm wurde geplant, aber in {1} Minuten nicht gesendet. Fragen Sie Ihren Betreiber, ob ein Worker läuft und worauf der Versand wartet.",
  ],
  [
    "The last fire drill was sent, but no push service accepted it within {1} minutes. Ask your operator what the push service answers, and whether the service reaches it.",
    "Der letzte Probealarm wurde gesendet, aber kein Push-Dienst nahm ihn in {1} Minuten an. Fragen Sie Ihren Betreiber, was der Push-Dienst antwortet und ob der Dienst ihn erreicht.",
  ],
  [
    "A push service accepted the last fire drill, but the canary has not reported within {1} minutes that it was displayed. Check that the device is on and online, allows notifications of the site, and reaches Pressbell.",
    "Ein Push-Dienst nahm den letzten Probealarm an, aber das Prüfgerät hat in {1} Minuten nicht gemeldet, dass es ihn angezeigt hat. Prüfen Sie, ob das Gerät an und online ist, Pushs der Website erlaubt und Pressbell erreicht.",
  ],
  [
    "The last fire drill was planned, but not sent. {1}",
    "Der letzte Probealarm wurde geplant, aber nicht gesendet. {1}",
  ],
  [
    "The last fire drill was sent, but the push service did not accept it. {1}",
    "Der letzte Probealarm wurde gesendet, aber der Push-Dienst nahm ihn nicht an. {1}",
  ],
  [
    "Fewer than 9 in 10 of the notifications that readers saw in the last 7 days were on the screen within {1} seconds, your goal. The page of each notification says how long it took. If even half of them were late, ask your operator to check the delivery. If only the last were late, they waited for devices that were off: let notifications expire earlier, or change the goal in the settings.",
    "Von den Pushs, die Leser in den letzten 7 Tagen sahen, waren weniger als 9 von 10 innerhalb von {1} Sekunden auf dem Bildschirm. Das ist Ihr Ziel. Auf der Seite jedes Pushs steht, wie lange er brauchte. War schon die Hälfte zu spät, bitten Sie Ihren Betreiber, den Versand zu prüfen. Waren es nur die letzten, warteten sie auf ausgeschaltete Geräte: Lassen Sie Pushs früher ablaufen, oder ändern Sie das Ziel in den Einstellungen.",
  ],
  [
    "Fewer than 1 in 100 notifications that readers saw in the last 7 days were clicked. Browsers take notifications that readers pass over for noise, and limit the site. Send fewer, and let readers choose topics.",
    "Von 100 angezeigten Pushs der letzten 7 Tage wurde weniger als einer angeklickt. Browser halten Nachrichten, die niemand anklickt, für Störung und bremsen die Website. Senden Sie seltener, und bieten Sie Themen an.",
  ],
  [
    "More than 3 in 10 notifications that readers saw in the last 7 days were dismissed. Browsers limit sites whose notifications are dismissed. Send fewer, and let readers choose topics.",
    "Von 10 angezeigten Pushs der letzten 7 Tage wurden mehr als drei weggewischt. Browser bremsen Websites, deren Nachrichten weggewischt werden. Senden Sie seltener, und bieten Sie Themen an.",
  ],
  [
    "More than 3 in 100 readers left in the last 7 days. Browsers withdraw the permission of sites that readers leave. Send fewer notifications, and ask for permission only after a click.",
    "Von 100 Abos gingen in den letzten 7 Tagen mehr als drei verloren. Browser entziehen Websites, die viele abbestellen, die Erlaubnis. Senden Sie seltener, und fragen Sie erst nach einem Klick um Erlaubnis.",
  ],
  [
    "Readers got more than 10 notifications a day in the last 7 days. Browsers limit sites that send much and are visited little. Send fewer, and let readers choose topics.",
    "In den letzten 7 Tagen kamen mehr als 10 Pushs am Tag an. Browser bremsen Websites, die viel senden und wenig besucht werden. Senden Sie seltener, und bieten Sie Themen an.",
  ],
  [
    "More than half of the visits of the last 7 days saw the prompt. Browsers limit sites that ask much. Let it come later, rest longer, or only after a click.",
    "Bei mehr als der Hälfte der Besuche der letzten 7 Tage erschien die Frage. Browser bremsen Websites, die viel fragen. Lassen Sie sie später kommen, länger ruhen oder nur nach einem Klick.",
  ],
  [
    "More than 4 in 10 readers that the browser asked in the last 7 days said no. Browsers then ask for the site without being seen. Say in the prompt what readers get, or ask only after a click.",
    "Mehr als 4 von 10 Lesern, die der Browser in den letzten 7 Tagen fragte, sagten nein. Browser stellen die Frage der Website dann unauffällig. Sagen Sie vorher, was Leser bekommen, oder fragen Sie nur nach einem Klick.",
  ],
  // Test sends, and sends that could not begin.
  [
    "This device was skipped by the test, though it is still subscribed. Test again.",
    "Dieses Gerät wurde beim Test ausgelassen, obwohl es noch angemeldet ist. Testen Sie noch einmal.",
  ],
  ["No worker has taken it up yet. Is one running?", "Noch hat es kein Arbeitsprozess übernommen. Läuft einer?"],
  [
    "Not delivered yet: the push service has not answered, or asks to wait. The run tells how it ends.",
    "Noch nicht zugestellt: Der Push-Dienst hat nicht geantwortet oder bittet zu warten. Der Versand zeigt, wie es ausgeht.",
  ],
  [
    "This would go to more people than one person may decide on, and the win-back cannot wait for a second person's yes. Let it begin after more days, or ask the operator.",
    "Das ginge an mehr Personen, als eine Person allein entscheiden darf, und die Rückgewinnung kann nicht auf eine zweite warten. Nehmen Sie mehr Tage, oder fragen Sie, wer Pressbell betreibt.",
  ],
  [
    "It would have gone to more people than one person may decide on: they were fewer when it was scheduled. Ask for a second person's yes.",
    "Er wäre an mehr Menschen gegangen, als eine Person allein entscheiden darf: beim Planen waren es weniger. Bitten Sie eine zweite Person um ihr Ja.",
  ],
  [
    "It was due more than {1} minutes before the service could send it.",
    "Er war über {1} Minuten fällig, bevor der Dienst ihn senden konnte.",
  ],
  [
    "This corrects a notification whose readers are not stored any more, or will not be at that time. Create a campaign without corrects.",
    "Er berichtigt einen Push, dessen Leser nicht mehr gespeichert sind oder es zu dieser Zeit nicht mehr sein werden. Schreiben Sie stattdessen einen neuen.",
  ],
  [
    "Sends of this site are paused. Once due, the campaign is delayed at most {1} minutes.",
    "Der Versand dieser Website ist angehalten. Ist die Kampagne fällig, wartet sie höchstens {1} Minuten.",
  ],
  [
    "Sends of this tenant are paused. Once due, the campaign is delayed at most {1} minutes.",
    "Der Versand dieses Verlags ist angehalten. Ist die Kampagne fällig, wartet sie höchstens {1} Minuten.",
  ],
  [
    "The time is more than a year ahead. Is that meant?",
    "Die Zeit liegt über ein Jahr in der Zukunft. Ist das gemeint?",
  ],
  [
    "It is past {1} already where clocks are at UTC{2} or ahead of that. These readers get it at once.",
    "Wo die Uhren auf UTC{2} stehen oder weiter vorgehen, ist es schon nach {1}. Diese Abos bekommen ihn sofort.",
  ],
  [
    "It is past {1} already where clocks are at UTC{2} or ahead of that, and so it is for readers whose zone is not known, who count as being in {3}. These readers get it at once.",
    "Wo die Uhren auf UTC{2} stehen oder weiter vorgehen, ist es schon nach {1}, auch für Abos, deren Zeitzone nicht bekannt ist und für die {3} gilt. Diese Abos bekommen ihn sofort.",
  ],
  ["Sends were paused for more than {1} minutes.", "Der Versand war über {1} Minuten angehalten."],
];

export const said: typeof english = {
  patterns: sentences.map(([sentence, translation]) => ({ pattern: patternOf(sentence), translation })),
  format: formatOf({ ...decision, ...feeds }, "de"),
};
