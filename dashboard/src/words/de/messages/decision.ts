import type { decisionTexts } from "../../../../../src/decision/messages.ts";

/** The texts of the decision in German, in ICU's format. */
export const decision: Record<keyof typeof decisionTexts, string> = {
  home_page: "eine Startseite",
  section_page: "eine Ressortseite",
  tag_page: "eine Schlagwortseite",
  author_page: "eine Autorenseite",
  profile_page: "ein Profil",
  search_page: "eine Seite mit Suchergebnissen",
  list_page: "eine Liste von Artikeln",
  about_page: "eine Seite über die Website",
  jobs_page: "eine Seite mit Stellen",
  forum_page: "eine Diskussion in einem Forum",
  help_page: "eine Hilfeseite",
  work_page: "eine Seite über Musik, ein Buch, einen Ort oder eine Anwendung",
  error_page: "eine Fehlerseite",
  sign_in_page: "eine Anmeldeseite",
  robot_check: "eine Abfrage von Zustimmung oder gegen Roboter",
  website_page: "nach eigener Angabe eine Seite der Website und kein Artikel (og:type ist website, ohne Datum)",
  page_unreachable:
    "Die Seite war unter keiner öffentlichen https-Adresse zu erreichen. Prüfen Sie die Adresse und ihre Weiterleitungen.",
  page_certificate: "Das Zertifikat der Seite gilt nicht. Erneuern Sie es, und versuchen Sie es noch einmal.",
  page_timeout: "Die Seite brauchte zu lange. Versuchen Sie es noch einmal, wenn die Website schneller ist.",
  page_too_large: "Die Seite ist größer als 2 MiB. Nehmen Sie die Adresse einer leichteren Fassung.",
  page_redirects: "Die Seite leitet mehr als dreimal weiter. Nehmen Sie die Adresse, bei der das endet.",
  page_answer_unreadable:
    "Die Antwort der Website war nicht zu lesen. Versuchen Sie es noch einmal, oder prüfen Sie, wie sie die Seite ausliefert.",
  page_status:
    "Die Seite antwortet mit HTTP-Status {status} statt 200. Veröffentlichen Sie sie, oder prüfen Sie die Adresse.",
  page_not_html: "Das ist keine HTML-Seite. Nehmen Sie die Adresse der Seite des Artikels.",
  page_untitled_but_yours: "Die Seite hat keinen Titel; Ihrer wird genommen.",
  page_untitled: "Die Seite hat keinen Titel. Geben Sie ihr einen, oder schreiben Sie hier einen.",
  page_noindex:
    "Die Seite möchte nicht gefunden werden (noindex), wie Entwürfe und Tests. Entfernen Sie noindex, um den Artikel zu senden.",
  page_no_news_index:
    "Die Seite möchte nicht in Google News stehen, wie übernommene Agenturtexte. Prüfen Sie, ob der Artikel von Ihnen ist.",
  page_no_story: "Das ist {what}. Nehmen Sie die Adresse eines einzelnen Artikels.",
  page_hides_story:
    "Das ist {what}. Lassen Sie Pressbell den Artikel lesen wie alle anderen, oder nehmen Sie eine andere Adresse.",
  page_without_story: "Das ist {what}. Veröffentlichen Sie den Artikel, oder prüfen Sie die Adresse.",
  page_of_site: "Das ist {what}. Nehmen Sie die Adresse eines einzelnen Artikels, oder geben Sie der Seite ein Datum.",
  page_paid:
    "Für diese Seite hat jemand bezahlt: {evidence}. Werbung haben die Leser:innen nicht abonniert: Senden Sie einen Artikel der Redaktion.",
  paid_type: "ihr Typ ist AdvertiserContentArticle",
  paid_section: "ihr Ressort ist {section}",
  paid_mark: "sie ist als gesponsert markiert",
  paid_folder: "ihre Adresse liegt unter /{folder}/",
  page_is_article: "Die Seite sagt, dass sie ein Artikel ist.",
  page_is_product: "Die Seite sagt, dass sie ein Produkt ist. Nehmen Sie die Adresse eines Artikels darüber.",
  page_is_amp: "Das ist eine AMP-Fassung. Senden Sie besser den Artikel selbst: {address}.",
  page_address_differs:
    "Die Seite nennt {address} als ihre Adresse. Prüfen Sie, ob das der Artikel ist, den Sie meinen.",
  links_paid:
    "Links der Seite sind als bezahlt markiert (rel=sponsored). Senden Sie sie nicht, wenn der ganze Artikel bezahlt ist.",
  story_too_old: "Der Artikel ist vom {day}, älter als {hours} Stunden. Senden Sie einen neueren.",
  story_recent: "Der Artikel ist keine sechs Stunden alt.",
  story_changed: "Der Artikel wurde geändert: {day} {time} ({zone}). Sagen Sie im Titel, was neu ist.",
  story_paywalled:
    "Der Artikel steht hinter einer Bezahlschranke: Ohne Abonnement ist nur der Anfang zu sehen. Sagen Sie das im Text.",
  live_over: "Der Liveticker ist zu Ende. Prüfen Sie, ob der Artikel noch neu ist.",
  live_blog: "Die Seite ist ein Liveblog: Dort steht immer das Neueste.",
  date_unreadable: "Die Seite zeigt Daten, aber keines ist als Datum der Veröffentlichung zu lesen.",
  date_missing: "Die Seite sagt nicht, wann sie veröffentlicht wurde.",
  undated_check: "{found} Prüfen Sie, ob der Artikel neu ist.",
  undated_skipped:
    "{found} Solche Artikel lässt die Website aus: Geben Sie der Seite article:published_time, oder ändern Sie die Einstellungen der Website.",
  date_to_come: "Die Seite nennt {day} als ihr Datum, das noch kommt. Prüfen Sie, ob der Artikel erschienen ist.",
  date_and_time_to_come:
    "Die Seite nennt {day} {time} ({zone}) als ihr Datum, das noch kommt. Prüfen Sie, ob der Artikel erschienen ist.",
  title_cut: "Der Titel hat über {most} Zeichen und wird gekürzt. Schreiben Sie für diesen Push einen kürzeren.",
  title_long: "Viele Telefone zeigen nur den Anfang des Titels: „{shown}“. Stellen Sie das Wichtige nach vorn.",
  title_short: "Der Titel ist sehr kurz. Sagen Sie, was geschehen ist.",
  description_missing: "Die Seite hat keine Beschreibung; unter dem Titel stünde kein Text. Schreiben Sie einen.",
  description_cut:
    "Die Beschreibung hat über {most} Zeichen und wird gekürzt. Schreiben Sie für diesen Push einen kürzeren Text.",
  picture_missing: "Die Seite nennt kein Bild des Artikels. Geben Sie der Seite og:image, oder wählen Sie ein Bild.",
  story_sent_before:
    "Dieser Artikel wurde hier schon gesendet: {day} {time} ({zone}). Korrigieren Sie jenen Push, oder warten Sie: Niemand will einen Artikel zweimal in {days} Tagen.",
  audience_empty:
    "Das bekäme niemand: Die Website hat keine Abos, oder keine mit diesen Themen und in diesem Segment. Wählen Sie andere.",
  topics_empty: "Niemand hat {names} abonniert. Lassen Sie es weg, oder wählen Sie ein anderes Thema.",
  names_and_more: "{names} und {n} weitere",
  site_daily_limit:
    "Die Website hat in 24 Stunden {n}-mal gesendet, und ihre Grenze ist {limit}. Warten Sie, oder heben Sie die Grenze an.",
  site_min_gap:
    "Der letzte Versand war vor {minutes} Minuten, und die Website wartet dazwischen {gap}. Senden Sie in {left} Minuten.",
  site_quiet: "Es ist {time} in {zone}, und die Website ist von {from} bis {until} still. Planen Sie ihn für {until}.",
  clicks_expected:
    "Wie frühere Pushs: {low} bis {high} klicken, etwa {left} von 10.000 gehen verloren. Üblich sind hier {usual}, nach {n} Pushs.",
  clicks_expected_like:
    "Wie frühere Pushs {like}: {low} bis {high} klicken, etwa {left} von 10.000 gehen verloren. Üblich sind hier {usual}, nach {n} Pushs.",
  like_both: "{one}, {other}",
  visits_not_won:
    "Gemessen an Abos ohne solche Pushs: Sie bringen keine Besuche (am Tag {low} bis {high} von 1.000 Abos).",
  visits_won: "Gemessen an Abos ohne solche Pushs: Sie bringen am Tag {low} bis {high} Besuche von 1.000 Abos.",
  like_night: "nachts",
  like_morning: "am Morgen",
  like_day: "am Tag",
  like_evening: "am Abend",
  like_late: "am späten Abend",
  like_monday: "am Montag",
  like_tuesday: "am Dienstag",
  like_wednesday: "am Mittwoch",
  like_thursday: "am Donnerstag",
  like_friday: "am Freitag",
  like_saturday: "am Samstag",
  like_sunday: "am Sonntag",
  like_weekend: "am Wochenende",
  like_title_short: "mit kurzem Titel",
  like_title_medium: "mit mittellangem Titel",
  like_title_long: "mit langem Titel",
  like_question: "mit einer Frage",
  like_number: "mit einer Zahl",
  like_picture: "mit Bild",
  like_everybody: "an alle",
  like_topics: "zu diesen Themen",
  like_after_short: "bald nach einem anderen",
  like_after_some: "Stunden nach einem anderen",
  like_after_long: "lange nach einem anderen",
  like_section: "aus „{section}“",
  like_word: "über „{word}“",
};
