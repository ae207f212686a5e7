import type { drillTexts } from "../../../../../src/automations/drill/check-drill.ts";
import type { quarantineTexts } from "../../../../../src/backup/quarantine.ts";
import type { campaignTexts } from "../../../../../src/campaigns/campaign.ts";
import type { outcomeTexts, runTexts } from "../../../../../src/runs/messages.ts";
import type { sendTexts } from "../../../../../src/sends/messages.ts";

type Code =
  | keyof typeof outcomeTexts
  | keyof typeof runTexts
  | keyof typeof sendTexts
  | keyof typeof drillTexts
  | keyof typeof campaignTexts
  | keyof typeof quarantineTexts;

/** The texts of runs, planned sends and fire drills in German, in ICU's format. */
export const sending: Record<Code, string> = {
  outcome_accepted: "Vom Push-Dienst übernommen.",
  outcome_not_found: "Der Push-Dienst kennt das Abo nicht mehr. Es wurde entfernt.",
  outcome_gone: "Im Browser abgemeldet. Das Abo wurde entfernt.",
  outcome_unsubscribed: "Nach dem Beginn des Versands abgemeldet; der Push ging nicht hin.",
  outcome_internal: "Ein Fehler von Pressbell. Melden Sie ihn mit der Kennung des Versands.",
  outcome_bad_request: "Der Push-Dienst lehnt die Anfrage als fehlerhaft ab.",
  outcome_payload_too_large: "Der Push-Dienst nimmt nichts von dieser Größe. Kürzen Sie den Text.",
  outcome_unauthorized:
    "Der Push-Dienst lehnt unsere Unterschrift ab. Wer Pressbell betreibt, prüfe VAPID_SUBJECT und die Uhr.",
  outcome_forbidden: "Das Abo gehört zu einem anderen VAPID-Schlüssel: Wurde der Schlüssel der Website geändert?",
  outcome_redirected: "Der Push-Dienst leitet weiter; dem wird nie gefolgt.",
  outcome_refused: "Der Push-Dienst lehnt aus einem eigenen Grund ab.",
  outcome_origin_not_allowed: "Der Push-Dienst steht nicht mehr in PUSH_SERVICES.",
  outcome_invalid_key: "Der Schlüssel des Abos ist beschädigt (kein Punkt auf P-256).",
  outcome_dropped: "Der Push-Dienst hat ihn übernommen und verworfen: Die Benachrichtigungen sind abgestellt.",
  outcome_ttl: "Die Zeit war um, bevor der Push-Dienst ihn übernahm.",
  outcome_wait_too_long: "Der Push-Dienst nimmt für diese Person nichts mehr an, bis die Zeit um ist.",
  outcome_rate_limited:
    "Die Zeit war um, während der Push-Dienst von dieser Website nur eine begrenzte Zahl annahm. Der von Chrome tut das bei Websites, die stören, für 1, dann 7, dann 14 Tage. Was hilft: seltener senden, Themen anbieten und erst nach einem Klick um Erlaubnis fragen.",
  outcome_stopped: "Der Versand wurde vorher gestoppt.",
  outcome_muted: "Der Leser hat dieses Thema stumm geschaltet.",
  outcome_reader_quiet: "Der Leser hat gerade Ruhezeit. Der Push kommt in seiner Sammelnachricht, wenn er eine will.",
  outcome_frequency_cap:
    "Der Leser will heute keine weiteren. Der Push kommt in seiner Sammelnachricht, wenn er eine will.",
  outcome_not_replaced:
    "Der Browser zeigt eine Aktualisierung neben dem Push statt an seiner Stelle. Daher geht dort keine hin.",
  outcome_closed: "Der Leser hat den Push geschlossen oder geöffnet. Eine Aktualisierung brächte ihn zurück.",
  outcome_already_sent:
    "Der Browser hat sich während des Versands neu angemeldet und den Push über seine andere Anmeldung bekommen.",
  outcome_class_cap:
    "Die Website sendet je Leser:in nicht mehr von dieser Klasse in einer Stunde, einem Tag oder einer Woche. Der Push kommt in der Sammelnachricht, wo eine gewünscht ist.",
  outcome_held_out:
    "Die Website sendet diesem Abo bis zu vier Wochen lang nichts von dieser Klasse, um zu messen, was sie bringt.",
  outcome_uncertain:
    "Vielleicht übernommen: Der Absender oder die Verbindung brach ab, und es wurde nicht noch einmal gesendet.",
  not_planned:
    "Die Zielgruppe war nicht zu Ende zu lesen, weil die Datenbank immer wieder versagte oder zu langsam war. Diese Personen haben ihn nicht bekommen. Melden Sie es mit der Kennung des Versands.",
  waiting_unauthorized:
    "Der Push-Dienst lehnt unsere Unterschrift ab; dorthin wird minutenlang nichts gesendet. Wer Pressbell betreibt, prüfe VAPID_SUBJECT und die Uhr.",
  waiting_forbidden:
    "Der Push-Dienst lehnt den VAPID-Schlüssel der Website ab; dorthin wird minutenlang nichts gesendet. Wurde der Schlüssel geändert?",
  waiting_throttled:
    "Der Push-Dienst bittet, bis {until} zu warten. Dann wird es noch einmal versucht; wessen Zeit vorher um ist, bekommt ihn nicht.",
  waiting_rate_limited:
    "Der Push-Dienst nimmt von dieser Website nur eine begrenzte Zahl in der Minute an und bittet, bis {until} zu warten. Wessen Zeit vorher um ist, bekommt ihn nicht. Der von Chrome tut das bei Websites, die stören, für 1, dann 7, dann 14 Tage. Was hilft: seltener senden, Themen anbieten und erst nach einem Klick um Erlaubnis fragen.",
  waiting_retrying:
    "Der Push-Dienst versagt, schweigt oder nimmt für diese Personen gerade nichts an. Es wird weiter versucht, bis die Zeit um ist.",
  device_skipped: "Dieses Gerät wurde beim Test ausgelassen, obwohl es noch angemeldet ist. Testen Sie noch einmal.",
  device_not_taken_up: "Noch hat es kein Arbeitsprozess übernommen. Läuft einer?",
  device_not_answered:
    "Noch nicht zugestellt: Der Push-Dienst hat nicht geantwortet oder bittet zu warten. Der Versand zeigt, wie es ausgeht.",
  send_missed: "Er war über {graceMinutes} Minuten fällig, bevor der Dienst ihn senden konnte.",
  paused_too_long: "Der Versand war über {graceMinutes} Minuten angehalten.",
  audience_grown:
    "Er wäre an mehr Menschen gegangen, als eine Person allein entscheiden darf: beim Planen waren es weniger. Bitten Sie eine zweite Person um ihr Ja.",
  plan_gone:
    "PLANS nennt keinen Tarif „{plan}“ mehr. Wer Pressbell betreibt, muss dem Verlag einen geben, der dort steht.",
  pause_will_delay_site:
    "Der Versand dieser Website ist angehalten. Ist die Kampagne fällig, wartet sie höchstens {graceMinutes} Minuten.",
  pause_will_delay_tenant:
    "Der Versand dieses Verlags ist angehalten. Ist die Kampagne fällig, wartet sie höchstens {graceMinutes} Minuten.",
  will_fail: "{cause} Bleibt es dabei, geht der Push nicht hinaus, wenn er fällig ist.",
  far_ahead: "Die Zeit liegt über ein Jahr in der Zukunft. Ist das gemeint?",
  hour_passed:
    "Wo die Uhren auf UTC{offset} stehen oder weiter vorgehen, ist es schon nach {time}. Diese Abos bekommen ihn sofort.",
  hour_passed_here:
    "Wo die Uhren auf UTC{offset} stehen oder weiter vorgehen, ist es schon nach {time}, auch für Abos, deren Zeitzone nicht bekannt ist und für die {timeZone} gilt. Diese Abos bekommen ihn sofort.",
  drill_canary:
    "Dem letzten Probealarm fehlte das Prüfgerät: Es hat nicht mehr abonniert. Eine Inhaberin oder ein Inhaber kann in den Einstellungen ein anderes wählen.",
  drill_planned:
    "Der letzte Probealarm wurde in {minutes} Minuten nicht geplant: Kein Worker nahm ihn an. Auch an Leser:innen geht so nichts. Fragen Sie Ihren Betreiber, ob ein Worker läuft und die Datenbank erreicht.",
  drill_sent:
    "Der letzte Probealarm wurde geplant, aber in {minutes} Minuten nicht gesendet. Fragen Sie Ihren Betreiber, ob ein Worker läuft und worauf der Versand wartet.",
  drill_accepted:
    "Der letzte Probealarm wurde gesendet, aber kein Push-Dienst nahm ihn in {minutes} Minuten an. Fragen Sie Ihren Betreiber, was der Push-Dienst antwortet und ob der Dienst ihn erreicht.",
  drill_displayed:
    "Ein Push-Dienst nahm den letzten Probealarm an, aber das Prüfgerät hat in {minutes} Minuten nicht gemeldet, dass es ihn angezeigt hat. Prüfen Sie, ob das Gerät an und online ist, Pushs der Website erlaubt und Pressbell erreicht.",
  drill_sent_refused: "Der letzte Probealarm wurde geplant, aber nicht gesendet. {cause}",
  drill_accepted_refused: "Der letzte Probealarm wurde gesendet, aber der Push-Dienst nahm ihn nicht an. {cause}",
  no_topic_filter: "Die Liste der Themen ist leer: Der Push geht an alle Abos der Website.",
  perhaps_sent:
    "Vielleicht ging er nach dem Backup hinaus, aus dem Pressbell wiederhergestellt wurde. Wenn nicht, duplizieren Sie ihn.",
};
