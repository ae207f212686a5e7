import type { api as english } from "../en/api.ts";
import { plural } from "../plural.ts";

const reload = "Diese Seite ist älter als der Dienst. Laden Sie sie neu, und versuchen Sie es noch einmal.";
const noTime = "Diese Zeit gibt es nicht. Wählen Sie sie noch einmal.";
const gone = "Das ist nicht mehr da. Laden Sie die Seite neu, und wählen Sie noch einmal.";
const things = { characters: "Zeichen", hosts: "Websites", rules: "Regeln", topics: "Themen" };

export const api: typeof english = {
  // client.ts
  offline:
    "Der Dienst antwortet nicht. Prüfen Sie Ihre Verbindung; nichts ist verloren, versuchen Sie es dann noch einmal.",
  away: "Pressbell ist gerade nicht zu erreichen. Nichts ist verloren; versuchen Sie es in einer Minute noch einmal.",
  broken: "Hier ist etwas schiefgegangen. Laden Sie die Seite neu, und versuchen Sie es noch einmal.",

  // passkey-calls.ts
  passkeyIsKnown: "Dieses Gerät hat schon einen Passkey für Ihr Konto.",
  noPasskeyUsed: "Der Browser hat keinen Passkey benutzt. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.",

  // provider-calls.ts
  allowATab: "Erlauben Sie dieser Seite, einen Tab zu öffnen, und versuchen Sie es noch einmal.",
  provider: {
    away: "Der Anmeldedienst antwortet nicht. Versuchen Sie es in einer Minute noch einmal, oder nehmen Sie Ihr Passwort.",
    declined:
      "Der Anmeldedienst hat Sie nicht angemeldet, oder Sie sind zurückgegangen. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.",
    failed: ({ provider }) =>
      `Die Anmeldung mit ${provider} ist misslungen. Nehmen Sie Ihr Passwort, und sagen Sie es denen, die Pressbell betreiben.`,
    expired:
      "Diese Anmeldung hat über zehn Minuten gedauert, begann in einem anderen Browser oder ist erledigt. Versuchen Sie es noch einmal.",
    unverified: ({ provider }) =>
      `Ihr Konto bei ${provider} hat keine bestätigte E-Mail-Adresse. Bestätigen Sie sie dort zuerst.`,
    unknown:
      "Kein Konto hier hat Ihre E-Mail-Adresse. Bitten Sie um eine Einladung, und öffnen Sie deren Link; dann geht auch dies.",
    linked:
      "Das Konto mit Ihrer E-Mail-Adresse ist mit einer anderen Person verknüpft. Bitten Sie um einen Link für ein neues Passwort: Er beendet das.",
    other:
      "Sie haben sich als eine andere Person angemeldet. Schließen Sie diesen Tab, und versuchen Sie es als Sie selbst.",
    old: "Sie wurden nicht neu nach der Anmeldung gefragt; das zählt nicht. Schließen Sie diesen Tab, und nehmen Sie Ihr Passwort.",
    limited: "Das waren viele Versuche. Warten Sie eine Minute.",
  },

  // refusals.ts: why something was refused, and what to do here.
  refusals: {
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
      "Das geht nicht mehr: Es wurde inzwischen gesendet, gestoppt, abgesagt oder geändert. Sehen Sie noch einmal nach.",
    already_set_up: "Pressbell ist schon eingerichtet. Melden Sie sich an, oder fragen Sie die Inhaber:innen.",
    last_owner: "Jemand muss Inhaber:in sein. Geben Sie zuerst jemand anderem diese Rolle.",
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
    own_request: "Das haben Sie selbst angefragt: Jemand anderes aus der Redaktion entscheidet.",
    request_over:
      "Über diese Anfrage wurde inzwischen entschieden, sie wurde zurückgezogen oder geändert, oder sie ist abgelaufen. Sehen Sie die Kampagne noch einmal an.",
    key_limit: "Es gibt schon 50 Schlüssel. Löschen Sie einen, der nicht mehr gebraucht wird.",
    feed_limit: "Es gibt schon 50 Feeds. Entfernen Sie einen, der nicht mehr gebraucht wird.",
    no_test_subscribers: "Diese Website hat noch kein Testgerät. Fügen Sie unter Abos eines hinzu.",
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
  tryAgainIn: ({ said, time }) => `${said} Versuchen Sie es in ${time} noch einmal.`,
  seconds: ({ n }) => plural(n, "Sekunde", "Sekunden"),
  minutes: ({ n }) => plural(n, "Minute", "Minuten"),
  hours: ({ n }) => plural(n, "Stunde", "Stunden"),
  ends: {
    changed: "Es wurde nach Ihrer Bestätigung geändert. Sehen Sie es noch einmal an, und senden Sie dann.",
    late: "Der Dienst war weg, als es losgehen sollte. Prüfen Sie, ob es noch aktuell ist, und senden Sie dann.",
    forbidden: "Sie dürfen hier nicht mehr senden. Fragen Sie die Inhaber:innen.",
    confirmation_required:
      "Das geht an mehr Personen, als eine allein entscheiden darf. Fragen Sie eine zweite Person.",
  },
  lookAtItAgain: "Sehen Sie es noch einmal an, und senden Sie dann.",

  // faults.ts: what is wrong with a field.
  faults: {
    unknown: "Das stimmt noch nicht. Sehen Sie es noch einmal an.",
    empty: "Das darf nicht leer sein.",
    tooMany: ({ most, what }) => `Hier sind höchstens ${most} ${things[what]} erlaubt.`,
    tooShort: ({ least }) => `Hier sind mindestens ${least} Zeichen nötig.`,
    between: ({ least, most }) => `Das muss eine ganze Zahl von ${least} bis ${most} sein.`,
    atLeast: ({ least }) => `Das muss mindestens ${least} sein.`,
    atMost: ({ most }) => `Das darf höchstens ${most} sein.`,
    email: "Das muss eine E-Mail-Adresse sein.",
    https: "Das muss eine Adresse sein, die mit https:// beginnt.",
    http: "Das muss eine Adresse sein, die mit https:// oder http:// beginnt.",
    origins: ({ example, wrong }) =>
      `Schreiben Sie Adressen wie ${example}, jede in eine eigene Zeile. Das ist keine: ${wrong}`,
    host: ({ example }) => `Das muss der Name einer Website sein, etwa ${example}.`,
    zone: "Wählen Sie eine Zeitzone aus der Liste.",
    clock: "Das muss eine Uhrzeit wie 22:00 sein.",
    bothTimes: "Geben Sie beide Zeiten an oder keine.",
    sameTimes: "Anfang und Ende dürfen nicht gleich sein.",
    past: "Diese Zeit ist vorbei. Wählen Sie eine spätere.",
    noTime,
    notAfter: "Das muss nach dem Anfang liegen.",
    invisible: "Hierin sind unsichtbare Zeichen. Schreiben Sie es von Hand, oder fügen Sie es als reinen Text ein.",
    letters: "Erlaubt sind 1 bis 64 Buchstaben, Ziffern, Punkte und Bindestriche.",
    categoryAndTopic: "Geben Sie die Kategorie und das Thema an.",
    noScope: "Kreuzen Sie mindestens eines an.",
    agreement: "Nehmen Sie zuerst die Vereinbarung an: Ohne sie wird nichts gesendet.",
    sixDigits: "Der Code hat sechs Ziffern.",
    noCode: "Der Code hat sechs Ziffern. Ein Ersatzcode hat auch Buchstaben.",
    usedCode: "Das gilt nicht oder wurde schon benutzt: Warten Sie auf den nächsten Code der App.",
    otherCode: "Das ist nicht der jetzige Code der App. Prüfen Sie die Uhr des Geräts.",
    notYourPassword: "Das ist nicht Ihr Passwort.",
    stolenPassword:
      "Das steht in Listen gestohlener Passwörter. Wählen Sie ein anderes, zum Beispiel vier eigene Wörter.",
    noSubscription:
      "Dieser Browser gab keine Adresse für Pushs. Laden Sie die Seite neu, und schalten Sie sie noch einmal ein.",
    knownFeed: "Das ist schon ein Feed dieser Website.",
    member: "Diese Person ist schon Mitglied.",
    knownPasskey: "Dieses Gerät hat hier schon einen Passkey.",
    otherTopic: ({ topic }) => `So heißt schon ein anderes Thema: ${topic}`,
    knownAccount: "Dazu gibt es schon ein Konto.",
    gone,
    stillSending: "Der erste Push wird noch gesendet. Stoppen Sie ihn, oder warten Sie das Ende ab.",
    correction: "Eine Korrektur geht an die Personen des ersten Pushs.",
    tooLong: "Das ist zu lang für einen Push. Kürzen Sie den Text oder die Adresse des Artikels oder des Bildes.",
    publicUrl: "Erst muss, wer Pressbell betreibt, dessen öffentliche Adresse einstellen.",
    privateKey: "Das muss ein Schlüsselpaar sein, das ein anderer Dienst exportiert hat, ohne Kennwort.",
    publicKey: "Das braucht einen öffentlichen Schlüssel, der zum privaten gehört.",
    noPasskey: "Das Gerät hat es nicht bestätigt. Versuchen Sie es noch einmal.",
    plan: ({ plans }) => `Diesen Tarif gibt es nicht. Es gibt: ${plans}`,
    notStorable: "Das kann nicht gespeichert werden. Schreiben Sie es von Hand, oder fügen Sie es als reinen Text ein.",
    longAddress: ({ most }) => `Kürzen Sie die Adresse auf ${most} Zeichen.`,
    spaces: "Entfernen Sie Leerzeichen, Zeilenumbrüche und umgekehrte Schrägstriche aus der Adresse.",
    wholeAddress: "Nehmen Sie eine ganze Adresse, die mit https:// beginnt.",
    unreadable: "Berichtigen Sie die Adresse: Sie ist nicht zu lesen.",
    userName: "Entfernen Sie den Benutzernamen und das Passwort vor dem @.",
    publicHost: "Nehmen Sie die öffentliche Adresse der Website, etwa www.example.com.",
    publicAddress: "Nehmen Sie eine öffentliche Adresse: Diese führt in ein inneres Netz.",
    port: "Entfernen Sie den Port (die Zahl nach dem Doppelpunkt) aus der Adresse.",
    reload,
  },
  labels: {
    url: "Adresse",
    imageUrl: "Bild",
    body: "Text",
    topicIds: "Themen",
    ttlSeconds: "Sehenswert für",
    scheduleAt: "Zeit",
    tenantName: "Verlag",
    siteName: "Name der Website",
    siteUrl: "Adresse der Website",
    email: "E-Mail",
    name: "Name",
    password: "Passwort",
    title: "Titel",
  },
};
