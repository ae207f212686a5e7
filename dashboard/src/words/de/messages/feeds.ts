import type { FaultCode } from "../../../../../src/faults.ts";
import type { feedTexts } from "../../../../../src/feeds/messages.ts";

/** The texts of feeds and of refused addresses in German, in ICU's format. */
export const feeds: Record<keyof typeof feedTexts | Extract<FaultCode, `url_${string}`>, string> = {
  url_too_long: "Kürzen Sie die Adresse auf {most, number} Zeichen.",
  url_characters:
    "Entfernen Sie Leerzeichen, Zeilenumbrüche, Steuerzeichen und Backslashes, oder kodieren Sie sie mit Prozentzeichen.",
  url_scheme: "Nehmen Sie eine vollständige Adresse, die mit https:// beginnt.",
  url_syntax: "Berichtigen Sie die Adresse: Sie ist nicht zu lesen.",
  url_user_name: "Entfernen Sie Benutzernamen und Passwort vor dem @.",
  url_host: "Nehmen Sie den öffentlichen Namen der Website, etwa www.example.com.",
  url_internal: "Nehmen Sie eine öffentliche Adresse: Diese führt in ein internes Netz.",
  url_port: "Nehmen Sie den üblichen Port von HTTPS, 443.",
  feed_unreachable:
    "Der Feed war unter keiner öffentlichen https-Adresse zu erreichen. Prüfen Sie die Adresse und ihre Weiterleitungen.",
  feed_timeout: "Der Server des Feeds hat nicht rechtzeitig geantwortet.",
  feed_certificate: "Das Zertifikat des Servers des Feeds gilt nicht.",
  feed_broken_answer: "Der Server des Feeds antwortet mit fehlerhaftem HTTP.",
  feed_status: "Der Server des Feeds antwortet mit HTTP-Status {status} statt 200.",
  feed_gone:
    "Der Server des Feeds sagt, dass es den Feed nicht mehr gibt (HTTP-Status 410). Suchen Sie die neue Adresse.",
  feed_fault:
    "Ein Fehler von Pressbell: Was der Feed brachte, war nicht zu speichern. Im Protokoll steht er unter der Id des Feeds.",
  feed_not_found: "Unter dieser Adresse ist kein Feed: weder RSS noch Atom noch JSON Feed.",
  feed_override:
    "Alles wird gesendet: auch, wovon das Urteil abrät, in den Ruhezeiten und über die Grenzen der Website hinaus. Nur die Grenzen dieses Feeds gelten.",
  many_new_items:
    "{items} neue Einträge kamen auf einmal, und keiner wurde gesendet. Sagen Sie, was mit ihnen geschieht: auslassen oder senden (soweit die Grenzen es erlauben).",
  undated_items:
    "{items, plural, one {# Eintrag wurde nicht gesendet: Weder der Feed noch seine Seite sagt, wann er veröffentlicht wurde. Sagen Sie, was mit ihm geschieht: auslassen oder senden (soweit die Grenzen es erlauben).} other {# Einträge wurden nicht gesendet: Weder der Feed noch ihre Seiten sagen, wann sie veröffentlicht wurden. Sagen Sie, was mit ihnen geschieht: auslassen oder senden (soweit die Grenzen es erlauben).}}",
  poll_retry_after: "sein Server bittet zu warten (Retry-After)",
  poll_failed: "das letzte Lesen ist gescheitert",
  polls_failed: "das Lesen ist zuletzt {failures}-mal gescheitert",
  poll_cache_control: "sein Cache-Control verlangt es",
  poll_ttl: "seine Angabe ttl verlangt es",
  poll_lively: "es kommt viel Neues",
  poll_quiet_day: "seit einem Tag kam nichts Neues",
  poll_quiet_week: "seit einer Woche kam nichts Neues",
  poll_hub: "sein Hub meldet, was neu ist",
  poll_owner: "so ist es eingestellt",
  item_feed_gone: "Der Server des Feeds sagt, dass es ihn nicht mehr gibt; er wurde abgeschaltet.",
  item_feed_off: "Der Feed wurde abgeschaltet, bevor das hinausging.",
  item_owner_skipped: "Er kam mit sehr vielen anderen, und sie wurden alle ausgelassen.",
  item_during_removal:
    "Die Website war entfernt, als das hinausgehen sollte. Senden Sie es von Hand, wenn es noch neu ist.",
  item_during_restore:
    "Es ging vielleicht nach der Sicherung hinaus, aus der Pressbell wiederhergestellt wurde. Senden Sie es von Hand, wenn nicht.",
  item_no_link: "Der Eintrag hat keinen Link zu einer Seite. Geben Sie ihm im Feed einen.",
  item_no_topic:
    "Die Regeln des Feeds haben für seine Kategorien kein Thema ({categories}). Fügen Sie eines hinzu, oder senden Sie solche Einträge an alle.",
  item_no_categories: "keine",
  item_foreign_host:
    "Er führt zu {host}; das gehört weder zu dieser Website ({site}), noch ist es erlaubt. Inhaber:innen können es in den Einstellungen des Feeds erlauben.",
  item_embargo:
    "Der Feed datiert den Eintrag auf {date}, in der Zukunft. Beurteilt wird er dann. Ist er schon erschienen, berichtigen Sie die Zeitzone des Feeds.",
  item_too_old: "Der Feed datiert den Eintrag auf {date}, älter als {hours} Stunden.",
  item_waited: "Er hat gewartet, bis er älter als {hours} Stunden war. {why}",
  feed_sent_hour:
    "Der Feed hat in dieser Stunde {n} Pushs gesendet, und seine Grenze ist {limit}. Heben Sie sie an, wenn mehr gewünscht ist.",
  feed_suggested_hour:
    "Der Feed hat in dieser Stunde {n} Pushs vorgeschlagen, und seine Grenze ist {limit}. Heben Sie sie an, wenn mehr gewünscht ist.",
  feed_sent_day:
    "Der Feed hat in 24 Stunden {n} Pushs gesendet, und seine Grenze ist {limit}. Heben Sie sie an, wenn mehr gewünscht ist.",
  feed_suggested_day:
    "Der Feed hat in 24 Stunden {n} Pushs vorgeschlagen, und seine Grenze ist {limit}. Heben Sie sie an, wenn mehr gewünscht ist.",
  item_site_paused: "Der Versand dieser Website ist angehalten. Heben Sie die Pause auf, damit Artikel hinausgehen.",
  item_tenant_paused: "Der Versand dieses Verlags ist angehalten. Heben Sie die Pause auf, damit Artikel hinausgehen.",
  item_service_busy: "In diesem Augenblick war zu viel zu tun. Es wird von selbst noch einmal versucht.",
  item_campaign_changed:
    "Seine Kampagne wurde in diesem Augenblick geändert. Er wird von selbst noch einmal angesehen.",
  item_invalid: "Was er bringt, kann kein Push sein. Berichtigen Sie es im Feed oder auf seiner Seite:",
  item_site_removed: "Die Website der Kampagne wurde entfernt: Für sie wird nichts mehr gesendet.",
  item_no_agreement: "Vor dem ersten Versand müssen Inhaber:innen die Vereinbarung zur Auftragsverarbeitung annehmen.",
  item_beyond_plan:
    "Der Tarif erlaubt so viele Abos nicht. Wählen Sie einen größeren, oder senden Sie zu weniger Themen.",
  item_class_limit:
    "Diese Website hat in 24 Stunden so viele Kampagnen dieser Klasse gesendet, wie ihre Inhaber:innen erlauben. Wählen Sie eine andere Klasse.",
  item_url_not_allowed:
    "Diese Adresse wird nicht gelesen. Nehmen Sie eine öffentliche https://-Adresse ohne Port und Benutzernamen.",
  item_refused: "{why}",
  item_with_faults: "{why} {faults}",
  item_campaign_edited: "Seine Kampagne wurde schon geändert und bleibt, wie sie ist.",
  item_campaign_left:
    "Seine Kampagne ist schon {status, select, cancelled {abgesagt} failed {gescheitert} scheduled {geplant} other {{status}}} und bleibt, wie sie ist.",
  item_address_known:
    "Ein Feed dieser Website hat diesen Artikel unter dieser Adresse schon gebracht: {address}, gesendet {date}.",
  item_title_known:
    "Ein Feed dieser Website hat diesen Artikel unter diesem Titel schon gebracht: {address}, gesendet {date}.",
  item_reasons: "{one} {other}",
  item_fault:
    "Ein Fehler von Pressbell. Es wird von selbst noch einmal versucht; im Protokoll steht er unter der Id des Eintrags.",
  item_page_unreadable: "Seine Seite war nicht zu lesen. Prüfen Sie, ob sie öffentlich ist.",
};
