import type { ColumnRole } from "./file-layout.ts";

/**
 * Names of columns in exports, in lower case without anything but letters and digits: browsers' own, OneSignal
 * (`identifier`, `web_p256`, `web_auth`, `invalid_identifier`), Perfecty Push (`key_auth`, `key_p256dh`), the package for
 * Laravel (`public_key`, `auth_token`), and others that store what the browser gives.
 */
const names: Record<ColumnRole, string[]> = {
  endpoint: [
    "endpoint",
    "identifier",
    "pushendpoint",
    "subscriptionendpoint",
    "endpointurl",
    "pushtoken",
    "token",
    "url",
  ],
  p256dh: ["p256dh", "webp256", "keysp256dh", "publickey", "p256", "userpublickey", "p256dhkey", "keyp256dh"],
  auth: ["auth", "webauth", "keysauth", "authtoken", "authsecret", "userauth", "authkey", "keyauth"],
  subscription: ["subscription", "pushsubscription", "subscriptionjson", "subscriptiondata"],
  left: ["invalididentifier", "unsubscribed", "isunsubscribed", "unsubscribedat", "optedout", "disabled"],
  subscribed: [
    "subscribed",
    "issubscribed",
    "optedin",
    "isactive",
    "active",
    "enabled",
    "subscriptionstatus",
    "status",
  ],
};

/** How a value of each column looks. That a reader has left or not can look like anything, so only its name tells. */
const looks: Partial<Record<ColumnRole, (value: string) => boolean>> = {
  endpoint: (value) => /^https:\/\/\S+\/\S{16,}$/.test(value) || isFcmToken(value),
  // 65 bytes that begin with 4 (an uncompressed point): base64, in which they begin with B.
  p256dh: (value) => /^B[A-Za-z0-9+/_-]{86}={0,2}$/.test(value),
  auth: (value) => /^[A-Za-z0-9+/_-]{22}={0,2}$/.test(value),
  subscription: (value) => value.trimStart().startsWith("{") && value.includes("endpoint"),
};

/** The end of an endpoint of Chrome, which some exports give alone. */
export function isFcmToken(value: string): boolean {
  return /^[\w-]{8,}:[\w-]{100,}$/.test(value);
}

/**
 * Guesses which columns hold what, from the names of the columns (undefined: the file has none) and some records. What the
 * values look like counts for more than a name. A column has one role.
 */
export function guessColumns(header: string[] | undefined, records: string[][]): Partial<Record<ColumnRole, number>> {
  const width = Math.max(header?.length ?? 0, ...records.map((record) => record.length));
  const found: Partial<Record<ColumnRole, number>> = {};
  const taken = new Set<number>();
  for (const role of ["subscription", "endpoint", "p256dh", "auth", "left", "subscribed"] as const) {
    const scores = Array.from({ length: width }, (_, at) =>
      taken.has(at) ? 0 : scoreOf(role, header?.[at], records, at),
    );
    const best = scores.indexOf(Math.max(...scores));
    if (best < 0 || scores[best]! <= 0) continue;
    found[role] = best;
    taken.add(best);
  }
  return found;
}

/** Whether a first record names columns: none of its cells looks like a value of a subscription. */
export function isHeader(record: string[]): boolean {
  return !record.some((cell) => Object.values(looks).some((fits) => fits(cell.trim())));
}

/** The place of a column's name among those of a role; below 0 if it is none. */
function rankOf(role: ColumnRole, name: string): number {
  return names[role].indexOf(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}

/** Whether a column, or a member of an object, has a name of this role. */
export const isNamed = (role: ColumnRole, name: string) => rankOf(role, name) >= 0;

function scoreOf(role: ColumnRole, name: string | undefined, records: string[][], at: number): number {
  const rank = rankOf(role, name ?? "");
  const byName = rank < 0 ? 0 : 0.5 - rank / 100;
  const values = records.map((record) => record[at]?.trim() ?? "").filter((value) => value !== "");
  const fits = looks[role];
  if (fits === undefined || values.length === 0) return byName;
  const share = values.filter(fits).length / values.length;
  // An export of all channels has e-mail addresses in the column of endpoints.
  return share === 0 ? byName / 10 : byName + share;
}
