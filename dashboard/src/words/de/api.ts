import type { api as english } from "../en/api.ts";

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
    old: "Der Anmeldedienst hat keine neue Anmeldung verlangt. Schließen Sie diesen Tab, und nehmen Sie Ihr Passwort.",
    limited: "Das waren viele Versuche. Warten Sie eine Minute.",
  },
};
