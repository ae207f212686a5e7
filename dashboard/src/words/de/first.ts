import { agreement } from "./agreement.ts";
import { api } from "./api.ts";
import { components } from "./components.ts";
import { signedOut } from "./signed-out.ts";

/*
 * Die festgelegten Wörter. Angeredet wird mit „Sie“; kurz und sachlich, wie in einer Redaktion gesprochen wird.
 *
 * nudge: Push (der Push, die Pushs) · campaign: Kampagne · run: Versand · send: senden · story: Artikel ·
 * decision: Urteil · compose: Schreiben · draft: Entwurf · schedule: planen · correction: Korrektur ·
 * readers: Leser:innen · people: Personen · subscriber: Abo · audience: Zielgruppe · topic: Thema · test device: Testgerät ·
 * accepted: angenommen · gone: abgemeldet · displayed: angezeigt · clicked: geklickt · dismissed: weggewischt ·
 * publisher: Verlag · site: Website · member: Mitglied · owner: Inhaber:in · editor: Redakteur:in · viewer: Gast ·
 * second person: zweite Person · the person who runs Pressbell: wer Pressbell betreibt ·
 * feed: Feed · item: Eintrag · suggestion: Vorschlag · agreement: Vereinbarung · audit log: Protokoll ·
 * API key: API-Schlüssel · key pair: Schlüsselpaar · service (Pressbell's): Dienst · snippet: Einbindung
 */

/** Was vor der Anmeldung geladen wird. */
export const first = { agreement, api, components, signedOut };
