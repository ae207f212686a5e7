import type { said as english } from "../en/said.ts";
import { patternOf } from "../pattern.ts";

const letRead = "Let Pressbell read the story as readers do, or use another address.";

/**
 * The English sentences of the service and their translations. `{1}`, `{2}` …: parts that differ. A part that is
 * itself a sentence of this list is translated too.
 */
const sentences: [sentence: string, translation: string][] = [
  // The decision: the notification.
  [
    "The title is over {1} characters and will be cut. Write a shorter one for this message.",
    "Der Titel hat über {1} Zeichen und wird gekürzt. Schreiben Sie für diesen Push einen kürzeren.",
  ],
  [
    "Many phones show only the beginning of the title: “{1}”. Put what matters first.",
    "Viele Telefone zeigen nur den Anfang des Titels: „{1}“. Stellen Sie das Wichtige nach vorn.",
  ],
  ["The title is very short. Say what has happened.", "Der Titel ist sehr kurz. Sagen Sie, was geschehen ist."],
  [
    "The page has no description, so the message has no text below its title. Write a body.",
    "Die Seite hat keine Beschreibung; unter dem Titel stünde kein Text. Schreiben Sie einen.",
  ],
  [
    "The description is over {1} characters and will be cut. Write a shorter body for this message.",
    "Die Beschreibung hat über {1} Zeichen und wird gekürzt. Schreiben Sie für diesen Push einen kürzeren Text.",
  ],
  [
    "The page names no picture of the story. Add og:image to the page, or choose a picture.",
    "Die Seite nennt kein Bild des Artikels. Geben Sie der Seite og:image, oder wählen Sie ein Bild.",
  ],
  // The decision: the page.
  [
    "The page could not be reached at a public https address. Check the address and its redirects.",
    "Die Seite war unter keiner öffentlichen https-Adresse zu erreichen. Prüfen Sie die Adresse und ihre Weiterleitungen.",
  ],
  [
    "The page's certificate is not valid. Renew it, then try again.",
    "Das Zertifikat der Seite gilt nicht. Erneuern Sie es, und versuchen Sie es noch einmal.",
  ],
  [
    "The page took too long to answer. Try again when the site is faster.",
    "Die Seite brauchte zu lange. Versuchen Sie es noch einmal, wenn die Website schneller ist.",
  ],
  [
    "The page is larger than 2 MiB. Send the address of a lighter version.",
    "Die Seite ist größer als 2 MiB. Nehmen Sie die Adresse einer leichteren Fassung.",
  ],
  [
    "The page redirects more than three times. Use the address where the redirects end.",
    "Die Seite leitet mehr als dreimal weiter. Nehmen Sie die Adresse, bei der das endet.",
  ],
  [
    "The site's answer could not be read. Try again, or check how the site serves the page.",
    "Die Antwort der Website war nicht zu lesen. Versuchen Sie es noch einmal, oder prüfen Sie, wie sie die Seite ausliefert.",
  ],
  [
    "The page answers with HTTP status {1} instead of 200. Publish it, or check the address.",
    "Die Seite antwortet mit HTTP-Status {1} statt 200. Veröffentlichen Sie sie, oder prüfen Sie die Adresse.",
  ],
  [
    "This is not an HTML page. Use the address of the story's page.",
    "Das ist keine HTML-Seite. Nehmen Sie die Adresse der Seite des Artikels.",
  ],
  ["The page has no title; yours is used.", "Die Seite hat keinen Titel; Ihrer wird genommen."],
  [
    "The page has no title. Add one to the page, or write one here.",
    "Die Seite hat keinen Titel. Geben Sie ihr einen, oder schreiben Sie hier einen.",
  ],
  [
    "The page asks not to be listed (noindex), as drafts and tests do. Remove noindex to send the story.",
    "Die Seite möchte nicht gefunden werden (noindex), wie Entwürfe und Tests. Entfernen Sie noindex, um den Artikel zu senden.",
  ],
  [
    "The page asks not to be listed in Google News, as copies of an agency's text do. Check that it is a story of yours.",
    "Die Seite möchte nicht in Google News stehen, wie übernommene Agenturtexte. Prüfen Sie, ob der Artikel von Ihnen ist.",
  ],
  ["This is {1}. Use the address of one story.", "Das ist {1}. Nehmen Sie die Adresse eines einzelnen Artikels."],
  [
    `This is {1}. ${letRead}`,
    "Das ist {1}. Lassen Sie Pressbell den Artikel lesen wie alle anderen, oder nehmen Sie eine andere Adresse.",
  ],
  [
    "This is {1}. Publish the story, or check the address.",
    "Das ist {1}. Veröffentlichen Sie den Artikel, oder prüfen Sie die Adresse.",
  ],
  [
    "This is {1}. Use the address of one story, or give the page a date of publication.",
    "Das ist {1}. Nehmen Sie die Adresse eines einzelnen Artikels, oder geben Sie der Seite ein Datum.",
  ],
  ["a home page", "eine Startseite"],
  ["a section page", "eine Ressortseite"],
  ["a tag page", "eine Schlagwortseite"],
  ["an author's page", "eine Autorenseite"],
  ["a profile", "ein Profil"],
  ["a page of search results", "eine Seite mit Suchergebnissen"],
  ["a list of stories", "eine Liste von Artikeln"],
  ["a page about the site", "eine Seite über die Website"],
  ["a page of jobs", "eine Seite mit Stellen"],
  ["a discussion of a forum", "eine Diskussion in einem Forum"],
  ["a page of help or documentation", "eine Hilfeseite"],
  [
    "a page of music, a book, a place or an application",
    "eine Seite über Musik, ein Buch, einen Ort oder eine Anwendung",
  ],
  ["an error page", "eine Fehlerseite"],
  ["a sign-in page", "eine Anmeldeseite"],
  ["a consent or robot check", "eine Abfrage von Zustimmung oder gegen Roboter"],
  [
    "a page of the site and not a story, as it says (og:type is website, without a date)",
    "nach eigener Angabe eine Seite der Website und kein Artikel (og:type ist website, ohne Datum)",
  ],
  [
    "Somebody paid for this page: {1}. Readers did not subscribe to advertising: send a story of the newsroom.",
    "Für diese Seite hat jemand bezahlt: {1}. Werbung haben die Leser:innen nicht abonniert: Senden Sie einen Artikel der Redaktion.",
  ],
  // The decision: its age, and what was sent before.
  [
    "The story is from {1}, older than {2} hours. Send a newer one.",
    "Der Artikel ist vom {1}, älter als {2} Stunden. Senden Sie einen neueren.",
  ],
  [
    "This story was sent to this site at {1}. Correct that message, or wait: readers do not want a story twice in {2} days.",
    "Dieser Artikel wurde hier schon gesendet: {1}. Korrigieren Sie jenen Push, oder warten Sie: Niemand will einen Artikel zweimal in {2} Tagen.",
  ],
  [
    "No reader would receive this: the site has no subscribers, or none with these topics and in this segment. Choose others.",
    "Das bekäme niemand: Die Website hat keine Abos, oder keine mit diesen Themen und in diesem Segment. Wählen Sie andere.",
  ],
  [
    "No reader has subscribed to {1}. Leave it out, or choose another topic.",
    "Niemand hat {1} abonniert. Lassen Sie es weg, oder wählen Sie ein anderes Thema.",
  ],
  [
    "The site has sent {1} times within 24 hours, and its limit is {2}. Wait, or raise the limit.",
    "Die Website hat in 24 Stunden {1}-mal gesendet, und ihre Grenze ist {2}. Warten Sie, oder heben Sie die Grenze an.",
  ],
  [
    "The last send was {1} minutes ago, and the site waits {2} between two. Send in {3} minutes.",
    "Der letzte Versand war vor {1} Minuten, und die Website wartet dazwischen {2}. Senden Sie in {3} Minuten.",
  ],
  [
    "It is {1} in {2}, and the site is quiet from {3} to {4}. Schedule it for {5}.",
    "Es ist {1} in {2}, und die Website ist von {3} bis {4} still. Planen Sie ihn für {5}.",
  ],
  ["{1} and {2} more", "{1} und {2} weitere"],
  // The decision: the site's earlier notifications.
  [
    "Like earlier notifications {1}, {2}: {3} to {4} click, about {5} in 10,000 leave. Usual here is {6}, by {7} notifications.",
    "Wie frühere Pushs {1}, {2}: {3} bis {4} klicken, etwa {5} von 10.000 gehen verloren. Üblich sind hier {6}, nach {7} Pushs.",
  ],
  [
    "Like earlier notifications {1}: {2} to {3} click, about {4} in 10,000 leave. Usual here is {5}, by {6} notifications.",
    "Wie frühere Pushs {1}: {2} bis {3} klicken, etwa {4} von 10.000 gehen verloren. Üblich sind hier {5}, nach {6} Pushs.",
  ],
  [
    "Like earlier notifications: {1} to {2} click, about {3} in 10,000 leave. Usual here is {4}, by {5} notifications.",
    "Wie frühere Pushs: {1} bis {2} klicken, etwa {3} von 10.000 gehen verloren. Üblich sind hier {4}, nach {5} Pushs.",
  ],
  ["at night", "nachts"],
  ["in the morning", "am Morgen"],
  ["by day", "am Tag"],
  ["in the evening", "am Abend"],
  ["late in the evening", "am späten Abend"],
  ["on Mondays", "am Montag"],
  ["on Tuesdays", "am Dienstag"],
  ["on Wednesdays", "am Mittwoch"],
  ["on Thursdays", "am Donnerstag"],
  ["on Fridays", "am Freitag"],
  ["on Saturdays", "am Samstag"],
  ["on Sundays", "am Sonntag"],
  ["on weekends", "am Wochenende"],
  ["with a short title", "mit kurzem Titel"],
  ["with a title of medium length", "mit mittellangem Titel"],
  ["with a long title", "mit langem Titel"],
  ["with a question", "mit einer Frage"],
  ["with a number", "mit einer Zahl"],
  ["with a picture", "mit Bild"],
  ["to all readers", "an alle"],
  ["to these topics", "zu diesen Themen"],
  ["soon after another", "bald nach einem anderen"],
  ["hours after another", "Stunden nach einem anderen"],
  ["long after another", "lange nach einem anderen"],
  ["from “{1}”", "aus „{1}“"],
  ["about “{1}”", "über „{1}“"],
  // The decision: readers who are left out.
  [
    "Measured with readers left out: such notifications win {1} to {2} visits a day of 1,000 readers.",
    "Gemessen an Abos ohne solche Pushs: Sie bringen am Tag {1} bis {2} Besuche von 1.000 Abos.",
  ],
  [
    "Measured with readers left out: such notifications win no visits ({1} to {2} a day of 1,000 readers).",
    "Gemessen an Abos ohne solche Pushs: Sie bringen keine Besuche (am Tag {1} bis {2} von 1.000 Abos).",
  ],
  [
    "1 item was not sent: neither the feed nor its page says when it was published. Say what becomes of it: skip or send (as far as the limits allow).",
    "1 Eintrag wurde nicht gesendet: Weder der Feed noch seine Seite sagt, wann er veröffentlicht wurde. Sagen Sie, was mit ihm geschieht: auslassen oder senden (soweit die Grenzen es erlauben).",
  ],
  [
    "{1} items were not sent: neither the feed nor their pages say when it was published. Say what becomes of them: skip or send (as far as the limits allow).",
    "{1} Einträge wurden nicht gesendet: Weder der Feed noch ihre Seiten sagen, wann sie veröffentlicht wurden. Sagen Sie, was mit ihnen geschieht: auslassen oder senden (soweit die Grenzen es erlauben).",
  ],
  // Feeds: why they are read at these times.
  ["its server asks to wait (Retry-After)", "sein Server bittet zu warten (Retry-After)"],
  ["the last poll failed", "das letzte Lesen ist gescheitert"],
  ["the last {1} polls failed", "das Lesen ist zuletzt {1}-mal gescheitert"],
  ["its Cache-Control asks for it", "sein Cache-Control verlangt es"],
  ["its ttl asks for it", "seine Angabe ttl verlangt es"],
  ["it is lively", "es kommt viel Neues"],
  ["nothing new came for a day", "seit einem Tag kam nichts Neues"],
  ["nothing new came for a week", "seit einer Woche kam nichts Neues"],
  ["its hub tells of what is new", "sein Hub meldet, was neu ist"],
  ["an owner has set it", "so ist es eingestellt"],
  [
    "{1} new items came at once, and none was sent. Say what becomes of them: skip them, or send them (as far as the limits allow).",
    "{1} neue Einträge kamen auf einmal, und keiner wurde gesendet. Sagen Sie, was mit ihnen geschieht: auslassen oder senden (soweit die Grenzen es erlauben).",
  ],
  ["The page says that it is an article.", "Die Seite sagt, dass sie ein Artikel ist."],
  [
    "The live coverage has ended. Check that the story is still news.",
    "Der Liveticker ist zu Ende. Prüfen Sie, ob der Artikel noch neu ist.",
  ],
  [
    "The page is a live blog: readers find what is new there.",
    "Die Seite ist ein Liveblog: Dort steht immer das Neueste.",
  ],
  ["The story is less than six hours old.", "Der Artikel ist keine sechs Stunden alt."],
  ["{1} Check that the story is new.", "{1} Prüfen Sie, ob der Artikel neu ist."],
  [
    "{1} The site skips such stories: add article:published_time to the page, or change the site's settings.",
    "{1} Solche Artikel lässt die Website aus: Geben Sie der Seite article:published_time, oder ändern Sie die Einstellungen der Website.",
  ],
  ["The page does not say when it was published.", "Die Seite sagt nicht, wann sie veröffentlicht wurde."],
  [
    "The page shows dates, but none that can be read as its date of publication.",
    "Die Seite zeigt Daten, aber keines ist als Datum der Veröffentlichung zu lesen.",
  ],
  [
    "The page gives {1} as its date, which is to come. Check that the story is out.",
    "Die Seite nennt {1} als ihr Datum, das noch kommt. Prüfen Sie, ob der Artikel erschienen ist.",
  ],
  [
    "The story was changed at {1}. Say in the title what is new.",
    "Der Artikel wurde geändert: {1}. Sagen Sie im Titel, was neu ist.",
  ],
  [
    "The page says that it is a product. Use the address of a story about it.",
    "Die Seite sagt, dass sie ein Produkt ist. Nehmen Sie die Adresse eines Artikels darüber.",
  ],
  [
    "Links on the page are marked as paid (rel=sponsored). Do not send it if the whole story is paid for.",
    "Links der Seite sind als bezahlt markiert (rel=sponsored). Senden Sie sie nicht, wenn der ganze Artikel bezahlt ist.",
  ],
  [
    "The story is behind a paywall: without a subscription only its beginning is shown. Say so in the text.",
    "Der Artikel steht hinter einer Bezahlschranke: Ohne Abonnement ist nur der Anfang zu sehen. Sagen Sie das im Text.",
  ],
  [
    "This is an AMP version. Better send the story itself: {1}.",
    "Das ist eine AMP-Fassung. Senden Sie besser den Artikel selbst: {1}.",
  ],
  [
    "The page gives {1} as its address. Check that this is the story you mean.",
    "Die Seite nennt {1} als ihre Adresse. Prüfen Sie, ob das der Artikel ist, den Sie meinen.",
  ],
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
  // Feeds.
  [
    "This address is not fetched. Use a public https:// URL on port 443 without a user name.",
    "Diese Adresse wird nicht gelesen. Nehmen Sie eine öffentliche https://-Adresse ohne Port und Benutzernamen.",
  ],
  [
    "The feed could not be reached at a public https address. Check the address and its redirects.",
    "Der Feed war unter keiner öffentlichen https-Adresse zu erreichen. Prüfen Sie die Adresse und ihre Weiterleitungen.",
  ],
  ["The feed's server did not answer in time.", "Der Server des Feeds hat nicht rechtzeitig geantwortet."],
  ["The certificate of the feed's server is not valid.", "Das Zertifikat des Servers des Feeds gilt nicht."],
  ["The feed's server answers with broken HTTP.", "Der Server des Feeds antwortet mit fehlerhaftem HTTP."],
  ["The feed's server answers with an error.", "Der Server des Feeds antwortet mit einem Fehler."],
  [
    "The feed's server says that the feed is gone for good (HTTP status 410). Look for its new address.",
    "Der Server des Feeds sagt, dass es den Feed nicht mehr gibt (HTTP-Status 410). Suchen Sie die neue Adresse.",
  ],
  [
    "There is no feed at this address: neither RSS nor Atom nor JSON Feed.",
    "Unter dieser Adresse ist kein Feed: weder RSS noch Atom noch JSON Feed.",
  ],
  [
    "The feed's server answers with HTTP status {1} instead of 200.",
    "Der Server des Feeds antwortet mit HTTP-Status {1} statt 200.",
  ],
  [
    "The feed's server says that the feed is gone, and it was switched off.",
    "Der Server des Feeds sagt, dass es ihn nicht mehr gibt; er wurde abgeschaltet.",
  ],
  [
    "The override is on: what the content decision rejects goes out too, in quiet hours and over the site's limits. Only this feed's own limits hold.",
    "Alles wird gesendet: auch, wovon das Urteil abrät, in den Ruhezeiten und über die Grenzen der Website hinaus. Nur die Grenzen dieses Feeds gelten.",
  ],
  [
    "The item has no link to a page. Add one to the feed.",
    "Der Eintrag hat keinen Link zu einer Seite. Geben Sie ihm im Feed einen.",
  ],
  [
    "The feed's rules have no topic for its categories ({1}). Add one, or send such items to everyone.",
    "Die Regeln des Feeds haben für seine Kategorien kein Thema ({1}). Fügen Sie eines hinzu, oder senden Sie solche Einträge an alle.",
  ],
  [
    "It leads to {1}, which is neither of this site ({2}) nor allowed. An owner can allow it in the feed's settings.",
    "Er führt zu {1}; das gehört weder zu dieser Website ({2}), noch ist es erlaubt. Inhaber:innen können es in den Einstellungen des Feeds erlauben.",
  ],
  [
    "The feed dates the item {1}, in the future. It is checked then. If it is out already, correct the zone of the feed's dates.",
    "Der Feed datiert den Eintrag auf {1}, in der Zukunft. Beurteilt wird er dann. Ist er schon erschienen, berichtigen Sie die Zeitzone des Feeds.",
  ],
  [
    "The feed dates the item {1}, older than {2} hours.",
    "Der Feed datiert den Eintrag auf {1}, älter als {2} Stunden.",
  ],
  ["It waited until it was older than {1} hours. {2}", "Er hat gewartet, bis er älter als {1} Stunden war. {2}"],
  [
    "The feed has sent {1} notifications within the hour, and its limit is {2}. Raise the limit if readers want more.",
    "Der Feed hat in dieser Stunde {1} Pushs gesendet, und seine Grenze ist {2}. Heben Sie sie an, wenn mehr gewünscht ist.",
  ],
  [
    "The feed has suggested {1} notifications within the hour, and its limit is {2}. Raise the limit if editors want more.",
    "Der Feed hat in dieser Stunde {1} Pushs vorgeschlagen, und seine Grenze ist {2}. Heben Sie sie an, wenn mehr gewünscht ist.",
  ],
  [
    "The feed has sent {1} notifications within 24 hours, and its limit is {2}. Raise the limit if readers want more.",
    "Der Feed hat in 24 Stunden {1} Pushs gesendet, und seine Grenze ist {2}. Heben Sie sie an, wenn mehr gewünscht ist.",
  ],
  [
    "The feed has suggested {1} notifications within 24 hours, and its limit is {2}. Raise the limit if editors want more.",
    "Der Feed hat in 24 Stunden {1} Pushs vorgeschlagen, und seine Grenze ist {2}. Heben Sie sie an, wenn mehr gewünscht ist.",
  ],
  [
    "Sends of this site are paused. Lift the pause, so that stories go out.",
    "Der Versand dieser Website ist angehalten. Heben Sie die Pause auf, damit Artikel hinausgehen.",
  ],
  [
    "Sends of this publisher are paused. Lift the pause, so that stories go out.",
    "Der Versand dieses Verlags ist angehalten. Heben Sie die Pause auf, damit Artikel hinausgehen.",
  ],
  [
    "Too much was to be done at this moment. It is tried again by itself.",
    "In diesem Augenblick war zu viel zu tun. Es wird von selbst noch einmal versucht.",
  ],
  [
    "Its campaign was changed at this moment. It is looked at again by itself.",
    "Seine Kampagne wurde in diesem Augenblick geändert. Er wird von selbst noch einmal angesehen.",
  ],
  [
    "Its page could not be read. Check that the page is public.",
    "Seine Seite war nicht zu lesen. Prüfen Sie, ob sie öffentlich ist.",
  ],
  [
    "Its campaign was changed already, and is left as it is.",
    "Seine Kampagne wurde schon geändert und bleibt, wie sie ist.",
  ],
  [
    "A feed of this site has brought this story already, by its {1}: {2}, sent at {3}.",
    "Ein Feed dieser Website hat diesen Artikel schon gebracht ({1}): {2}, gesendet {3}.",
  ],
];

export const said: typeof english = sentences.map(([sentence, translation]) => ({
  pattern: patternOf(sentence),
  translation,
}));
