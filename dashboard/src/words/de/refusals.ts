import type { refusals as english } from "../en/refusals.ts";
import { plural } from "../plural.ts";

const reload = "Diese Seite ist älter als der Dienst. Laden Sie sie neu, und versuchen Sie es noch einmal.";

export const refusals: typeof english = {
  // The reason of a refusal and what to do, by the code of the answer.
  ofCodes: {
    validation_failed: "Hier stimmt noch etwas nicht. Berichtigen Sie, was markiert ist.",
    malformed_json: reload,
    bad_request: reload,
    url_not_allowed:
      "Diese Adresse wird nicht gelesen. Nehmen Sie eine, die mit https:// beginnt und die alle öffnen können.",
    unauthenticated: "Sie sind abgemeldet. Melden Sie sich wieder an; was Sie geschrieben haben, bleibt.",
    sign_in_failed:
      "Die E-Mail-Adresse oder das Passwort ist falsch. Versuchen Sie es noch einmal, oder bitten Sie um ein neues Passwort.",
    billing:
      "Das geht an mehr Personen, als Ihr Tarif erlaubt. Wählen Sie weniger Themen, oder fragen Sie nach einem größeren Tarif.",
    dpa_required:
      "Noch kann nichts gesendet werden: Erst muss unter Einstellungen die Vereinbarung über die Daten der Leser:innen angenommen werden; das tun die Inhaber:innen.",
    tenant_mismatch: "Das gehört einem anderen Verlag. Wählen Sie die Website noch einmal.",
    owner_session_required: "Das dürfen nur Inhaber:innen. Fragen Sie dort nach.",
    forbidden: "Ihre Rolle erlaubt das nicht. Fragen Sie die Inhaber:innen.",
    reauthentication_required: "Geben Sie Ihr Passwort noch einmal ein: Ihre Anmeldung ist über zehn Minuten her.",
    second_factor_required:
      "Das verlangt einen zweiten Faktor. Richten Sie unter „Ihr Konto“ eine Authentifizierungs-App ein, oder melden Sie sich mit einem Passkey an.",
    provider_required: "Sie sind hier durch Single Sign-on Mitglied. Melden Sie sich ab, und damit wieder an.",
    csrf_failed:
      "Diese Seite wurde unter einer anderen Adresse geöffnet. Öffnen Sie das Dashboard selbst, und versuchen Sie es noch einmal.",
    scope_missing: reload,
    browser_forbidden: reload,
    setup_token_required:
      "Dieser Link öffnet die Einrichtung nicht. Nehmen Sie den neuesten: Pressbell zeigt ihn beim Start, und er steht in der Datei setup-link im Datenordner.",
    origin_not_allowed: "Seiten dieser Adresse gehören nicht zur Website. Tragen Sie sie unter Einstellungen ein.",
    not_found: "Das ist nicht mehr da. Gehen Sie zurück, und laden Sie die Liste neu.",
    method_not_allowed: reload,
    request_timeout: "Die Verbindung ist langsam: Ihre Anfrage kam nicht rechtzeitig an. Versuchen Sie es noch einmal.",
    illegal_transition:
      "Das geht nicht mehr: Es wurde inzwischen gesendet, gestoppt, abgesagt, berichtigt oder geändert. Sehen Sie noch einmal nach.",
    already_set_up: "Pressbell ist schon eingerichtet. Melden Sie sich an, oder fragen Sie die Inhaber:innen.",
    last_owner: "Jemand muss Inhaber:in sein. Geben Sie zuerst jemand anderem diese Rolle.",
    provider_decides:
      "Über diese Rolle entscheiden die Gruppen bei Ihrem Single Sign-on. Ändern Sie sie dort; das gilt binnen 15 Minuten.",
    no_passkeys: "Passkeys funktionieren an dieser Adresse nicht. Fragen Sie, wer Pressbell betreibt.",
    second_factor_on:
      "Ihre Anmeldung fragt schon nach einem Code. Schalten Sie das zuerst aus, um eine andere App einzurichten.",
    other_tenants:
      "Diese Person arbeitet auch für andere Verlage. Den Link gibt es bei denen, die Pressbell betreiben.",
    no_mail: "Hier werden keine E-Mails verschickt. Bitten Sie die Inhaber:innen um einen Link für ein neues Passwort.",
    confirmation_required:
      "Das geht an mehr Personen, als eine allein entscheiden darf. Fragen Sie eine zweite Person.",
    nobody_else:
      "Nur Sie dürfen hier senden. Laden Sie jemanden in die Redaktion ein, oder lassen Sie unter Einstellungen die Grenze anheben.",
    class_not_allowed:
      "Diese Klasse dürfen Sie nicht senden. Fragen Sie eine zweite Person, oder wählen Sie eine andere Klasse.",
    class_limit: "Diese Klasse hat ihre Grenze für 24 Stunden erreicht. Wählen Sie eine andere Klasse.",
    own_request: "Das haben Sie selbst angefragt: Jemand anderes aus der Redaktion entscheidet.",
    request_over:
      "Über diese Anfrage wurde inzwischen entschieden, sie wurde zurückgezogen oder geändert, oder sie ist abgelaufen. Sehen Sie die Kampagne noch einmal an.",
    key_limit: "Es gibt schon 50 Schlüssel. Löschen Sie einen, der nicht mehr gebraucht wird.",
    feed_limit: "Es gibt schon 50 Feeds. Entfernen Sie einen, der nicht mehr gebraucht wird.",
    recurring_send_limit: "Es gibt schon 20 regelmäßige Pushs. Entfernen Sie einen, der nicht mehr gebraucht wird.",
    site_limit: "Mehr Websites sind hier nicht vorgesehen. Entfernen Sie eine; nach sieben Tagen ist ihr Platz frei.",
    topic_limit:
      "Mehr Themen sind für diese Website nicht vorgesehen. Geben Sie eines auf, das nicht mehr gebraucht wird.",
    member_limit:
      "Es gibt schon 500 Mitglieder und offene Einladungen. Entfernen Sie jemanden, oder ziehen Sie eine Einladung zurück.",
    passkey_limit: "Sie haben schon 50 Passkeys. Entfernen Sie einen, der nicht mehr gebraucht wird.",
    device_limit: "Es gibt schon 200 Testgeräte. Entfernen Sie eines, das nicht mehr gebraucht wird.",
    follow_limit: "Niemand folgt mehr als 50 Geschichten.",
    follows_awaited: "Eine Kampagne an diese Leser ist geplant oder beginnt gerade. Brechen Sie sie erst ab.",
    segment_limit: "Es gibt schon 50 Segmente. Geben Sie eines auf, das nicht mehr gebraucht wird.",
    segment_awaited:
      "Eine Kampagne, die geplant ist, auf eine zweite Person wartet oder gerade startet, geht an dieses Segment. Brechen Sie sie zuerst ab, oder fügen Sie ein anderes Segment hinzu.",
    segment_of_feed: "Ein Feed sendet an dieses Segment. Wählen Sie in dessen Einstellungen zuerst ein anderes.",
    readers_forgotten:
      "Dieser Push berichtigt einen an ein Segment, und wer ihn bekam, ist nicht mehr gespeichert oder wird es zu dieser Zeit nicht mehr sein. Senden Sie stattdessen einen neuen.",
    no_test_subscribers: "Diese Website hat noch kein Testgerät. Fügen Sie unter Abos eines hinzu.",
    site_moved: "Diese Website ist zu einer anderen Installation umgezogen, die jetzt für sie sendet.",
    site_removed: "Diese Website wurde entfernt: Für sie wird nichts mehr gesendet.",
    has_subscribers:
      "Diese Website hat Abos oder Testgeräte, und mit einem anderen Schlüsselpaar wären sie nicht mehr zu erreichen. Fügen Sie für das Paar eine neue Website hinzu.",
    subscription_conflict:
      "Dieser Browser ist schon registriert. Schalten Sie seine Benachrichtigungen aus und wieder ein.",
    payload_too_large: "Das ist zu viel auf einmal. Kürzen Sie es.",
    headers_too_large: reload,
    expectation_failed: reload,
    unsupported_media_type: reload,
    wrong_host: "Das Dashboard hat eine andere Adresse. Fragen Sie, wer Pressbell betreibt.",
    fetch_failed:
      "Der Artikel konnte nicht gelesen werden. Prüfen Sie, ob alle seine Seite öffnen können, oder schreiben Sie den Push selbst.",
    idempotency_key_reused:
      "Das wurde schon mit einem anderen Text gespeichert. Laden Sie die Seite neu; Ihr Entwurf bleibt.",
    send_paused: "Der Versand ist angehalten. Heben Sie die Pause unter Einstellungen auf, und senden Sie dann.",
    rate_limited: "Zu viele Versuche.",
    internal:
      "In Pressbell ist etwas schiefgegangen. Versuchen Sie es noch einmal; bleibt es dabei, sagen Sie es denen, die es betreiben.",
    unavailable: "Pressbell kann gerade nicht antworten. Versuchen Sie es in einer Minute noch einmal.",
  },
  // Was jemand anderes mit einer Kampagne getan hat, nach ihrem Stand oder dem Wort des Dienstes.
  meanwhile: {
    sending: "Er wird schon gesendet. Nichts geht doppelt hinaus.",
    sent: "Er ist inzwischen hinausgegangen. Nichts geht doppelt hinaus.",
    stopped: "Er wurde inzwischen gesendet und gestoppt.",
    cancelled: "Er wurde inzwischen abgesagt. Um ihn trotzdem zu senden, duplizieren Sie ihn.",
    failed: "Er war inzwischen fällig und ging nicht hinaus. Seine Seite sagt, warum.",
    changed: "Er wurde inzwischen geändert. Schließen Sie das, lesen Sie ihn noch einmal, und senden Sie ihn dann.",
    begun: "Jemand anderes sendet ihn gerade und kann ihn noch zurücknehmen.",
    asked:
      "Jemand anderes hat schon eine zweite Person gefragt. Warten Sie die Antwort ab, oder stimmen Sie selbst zu.",
    test_over: "Der Vergleich ist inzwischen zu Ende: Alle bekommen den Titel, der gewonnen hat.",
    listing: "Die Leser:innen werden noch aufgelistet. Versuchen Sie es gleich noch einmal.",
  },
  tryAgainIn: ({ said, time }) => `${said} Versuchen Sie es in ${time} noch einmal.`,
  seconds: ({ n }) => plural(n, "Sekunde", "Sekunden"),
  minutes: ({ n }) => plural(n, "Minute", "Minuten"),
  hours: ({ n }) => plural(n, "Stunde", "Stunden"),
  ends: {
    changed: "Es wurde nach Ihrer Bestätigung geändert. Sehen Sie es noch einmal an, und senden Sie dann.",
    late: "Pressbell war nicht verfügbar, als der Versand fällig war. Prüfen Sie, ob es noch aktuell ist, und senden Sie dann.",
    forbidden: "Sie dürfen hier nicht mehr senden. Fragen Sie die Inhaber:innen.",
    confirmation_required:
      "Das geht an mehr Personen, als eine allein entscheiden darf. Fragen Sie eine zweite Person.",
  },
  lookAtItAgain: "Sehen Sie es noch einmal an, und senden Sie dann.",
};
