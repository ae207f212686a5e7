/**
 * How a column says who has left. `left`: a yes or a time means that the reader has left. `subscribed`: a no, or the
 * state of somebody who gets nothing, means that the reader has left.
 */
export type EndKind = "left" | "subscribed";

/** Words in the name of a column that says who has left, in exports of other services and in publishers' own tables. */
const stems: Record<EndKind, string> = {
  left:
    "unsub|unsubs|unsubscribed?|unsubscription|unsubscribers?|optout|optedout|optsout|revoked?|revocation|deleted?|deletion|" +
    "removed?|removal|disabled?|deactivated?|deactivation|inactive|inactivated|invalid|invalidated|invalididentifier|expired|" +
    "blocked|banned|denied|declined|rejected|refused|withdrawn|withdrawal|cancell?ed|cancell?ation|uninstall|uninstalled|left|" +
    "leave|churned|gone|bounced|dead|unregistered|deregistered|notregistered|suppressed|suspended|muted|archived|trashed|" +
    "terminated|ended|lost|unreachable|dropped|quit|erased|forgotten|purged|objected|donot(?:contact|send|push)|" +
    "not(?:subscribed|active|enabled|valid|allowed)|abgemeldet|geloescht|geloscht|gekundigt|widerrufen|deaktiviert|" +
    "desinscrit|desabonne|baja|fechabaja|eliminado|borrado|disiscritto|afgemeld",
  subscribed:
    "subscribed|subscribe|subscriptionstat(?:us|e)|subscriberstat(?:us|e)|optin|optedin|active|activated|enabled|valid|allowed|" +
    "permitted|permission|granted|alive|reachable|installed|status|state|consent|notificationtypes?|aktiv|angemeldet|activo|" +
    "actif|inscrit|abonne|suscrito|attivo|iscritto|actief",
};
const before =
  "(?:is|has|was|been|are|the|user|users|reader|person|contact|member|push|web|browser|device|subscription|subscriptions|" +
  "subscriber|notification|notifications|alert|alerts|token|fcm|client|record|row|current|soft)*";
const after = "(?:at|on|am|le|by|date|day|time|timestamp|ts|utc|flag|status|state|reason|ms|iso)*";
const patterns = Object.entries(stems).map(([kind, stem]) => ({
  kind: kind as EndKind,
  // A time at which somebody subscribed does not mean that they have left.
  pattern: new RegExp(
    kind === "left" ? `^(?:date|time)?${before}(?:${stem})${after}$` : `^${before}(?:${stem})(?:flag|status|state)*$`,
  ),
}));

/** Words that make a name look as if it were about leaving, whatever else it contains. */
const looks =
  /unsub|opt(?:ed)?(?:out|in)|revo[ck]|delet|remov|disabl|deactiv|inactiv|invalid|expired|block|bann|denied|declin|reject|withdr|cancel|uninstall|churn|bounc|unreg|suppress|suspend|archiv|terminat|goodbye|permission|consent|abgemeldet|gelosch|desabon|desinscri/;
const lookingWords =
  /^(?:left|leave|leaves|status|state|active|aktiv|enabled|subscribed|gone|dead|end|ended|quit|exit|valid)$/;
/** Names of times that are about something else, such as OneSignal's `last_active`. */
const isOfOther = /^last|^(?:created|updated|subscribed|activated|registered)(?:at|on|date|time|timestamp)?$/;

/** Returns the words of a column's name, in lower case: `unsubscribedAt`, `is-active` and `user.status` have two. */
export function wordsOfName(name: string): string[] {
  const plain = name.slice(0, 60).normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss");
  return plain
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

const remembered = new Map<string, EndKind | undefined>();
const maxRemembered = 2_000;

/** Returns how a column of this name says who has left, or undefined if its name is not known to say so. */
export function endOfName(name: string): EndKind | undefined {
  if (remembered.has(name)) return remembered.get(name);
  // Records in JSON may come with any number of names.
  if (remembered.size >= maxRemembered) remembered.clear();
  const kind = findEnd(name);
  remembered.set(name, kind);
  return kind;
}

function findEnd(name: string): EndKind | undefined {
  // A member of an object counts by its own name: `preferences.subscriptionStatus`.
  const own = name.slice(name.lastIndexOf(".") + 1);
  for (const words of [wordsOfName(name), wordsOfName(own)]) {
    const found = patterns.find(({ pattern }) => pattern.test(words.join("")));
    if (found !== undefined) return found.kind;
  }
  return undefined;
}

/** Returns whether a name looks as if its column said who has left. True for every name that `endOfName` knows. */
export function looksLikeEnd(name: string): boolean {
  const words = wordsOfName(name);
  const joined = words.join("");
  if (endOfName(name) !== undefined) return true;
  return !isOfOther.test(joined) && (looks.test(joined) || words.some((word) => lookingWords.test(word)));
}

/** A cell with a no, with nothing, or with a date that stands for none. */
const isNothing =
  /^(?:0*(?:\.0+)?|f|false|n|no|none|null|nil|nan|undefined|\\n|n\/a|na|-+|never|nein|non|nee|off|falsch|faux|\[\]|\{\}|-?infinity|active|aktiv|subscribed|enabled|valid|ok|-\d+(?:\.\d+)?)$/;
const isNoDate = /^(?:0000|0001|18\d\d|1900|9999)[-/.]|^1970-01-01|[-/.](?:0000|0001|1900|9999)$|^0?1[/.]0?1[/.]1970/;

/**
 * Returns whether a cell of a column `left` says that the reader has left. Anything but a no does, because those
 * readers must stay out.
 */
export function saysLeft(cell: string): boolean {
  const value = cell.trim().toLowerCase();
  return !isNothing.test(value) && !isNoDate.test(value);
}

const notSubscribed =
  /^(?:f|false|n|no|off|0+(?:\.0+)?|-\d+(?:\.\d+)?|left|gone|dead|lost|banned|default|nein|non|nee|falsch|faux|baja|inaktiv|inactif|inactivo|abgemeldet)$/;
const notSubscribedPart =
  /unsub|notsubscribed|nonsubscribed|opt(?:ed)?out|inactive|notactive|disabled|deactivated|blocked|denied|declined|rejected|deleted|removed|expired|invalid|revoked|cancell?ed|uninstall|unregistered|notregistered|churned|bounced|dropped|suppressed|suspended|terminated|archived|withdrawn|unreachable|notallowed|notvalid|notenabled|desabonne|desinscrit/;
const isSubscribed =
  /^(?:|t|true|y|yes|on|null|nil|none|\\n|na|subscribed|opt(?:ed)?in|active|enabled|valid|granted|allowed|ok|live|alive|reachable|registered|confirmed|verified|installed|ja|oui|si|wahr|vrai|aktiv|actif|activo)$/;

/**
 * Returns what a cell of a column `subscribed` says. An empty cell does not mean that the reader has left. `unknown`:
 * the word is in neither list.
 */
export function readSubscribed(cell: string, name: string): "stays" | "left" | "unknown" {
  const value = cell.trim().toLowerCase();
  // OneSignal's `notification_types` is a sum of kinds, so any positive number stays. In a status only 1 is known to
  // mean that.
  if (/^[1-9]\d*$/.test(value)) return value === "1" || /types?$/i.test(name) ? "stays" : "unknown";
  const words = value
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}\\]/gu, "");
  if (notSubscribed.test(value) || notSubscribed.test(words) || notSubscribedPart.test(words)) return "left";
  return isSubscribed.test(words) ? "stays" : "unknown";
}
