import { account } from "./de/account.ts";
import { agreement } from "./de/agreement.ts";
import { api } from "./de/api.ts";
import { audit } from "./de/audit.ts";
import { calendar } from "./de/calendar.ts";
import { campaign } from "./de/campaign.ts";
import { campaigns } from "./de/campaigns.ts";
import { components } from "./de/components.ts";
import { compose } from "./de/compose.ts";
import { faults } from "./de/faults.ts";
import { feeds } from "./de/feeds.ts";
import { integrations } from "./de/integrations.ts";
import { layout } from "./de/layout.ts";
import { members } from "./de/members.ts";
import { overview } from "./de/overview.ts";
import { pages } from "./de/pages.ts";
import { palette } from "./de/palette.ts";
import { prompts } from "./de/prompts.ts";
import { refusals } from "./de/refusals.ts";
import { said } from "./de/said.ts";
import { settings } from "./de/settings.ts";
import { signedOut } from "./de/signed-out.ts";
import { subscribers } from "./de/subscribers.ts";

/*
 * Die festgelegten Wörter. Angeredet wird mit „Sie“; kurz und sachlich, wie in einer Redaktion gesprochen wird.
 *
 * notification: Push (der Push, die Pushs) · campaign: Kampagne · run: Versand · send: senden · story: Artikel ·
 * decision: Urteil · compose: Schreiben · draft: Entwurf · schedule: planen · correction: Korrektur · readers:
 * Leser:innen · people: Personen · subscriber: Abo · audience: Zielgruppe · topic: Thema · test device: Testgerät ·
 * accepted: angenommen · gone: abgemeldet · displayed: angezeigt · clicked: geklickt · dismissed: weggewischt ·
 * publisher: Verlag · site: Website · member: Mitglied · owner: Inhaber:in · editor: Redakteur:in · viewer: Gast ·
 * second person: zweite Person · the person who runs Pressbell: wer Pressbell betreibt · feed: Feed · item: Eintrag ·
 * suggestion: Vorschlag · agreement: Vereinbarung · audit log: Protokoll · API key: API-Schlüssel · key pair:
 * Schlüsselpaar · fire drill: Probealarm · canary: Prüfgerät · service (Pressbell's): Dienst · snippet: Einbindung
 */

/** Alle Wörter auf Deutsch, für Tests: Eine Seite lädt die Ordner, die sie braucht. */
export const german = {
  account,
  agreement,
  api,
  audit,
  calendar,
  campaign,
  campaigns,
  components,
  compose,
  faults,
  feeds,
  integrations,
  layout,
  members,
  overview,
  pages,
  palette,
  prompts,
  refusals,
  said,
  settings,
  signedOut,
  subscribers,
};
