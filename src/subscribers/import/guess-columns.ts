import { type EndKind, endOfName, wordsOfName } from "./end-columns.ts";
import { type ColumnRole, type Columns, columnRoles } from "./file-layout.ts";
import { flatten, isOfPublisher, objectIn } from "./flatten.ts";

/**
 * Names of columns in exports, in lower case, with only letters and digits. They are the names that browsers use, and
 * those of OneSignal (`identifier`, `web_p256`, `web_auth`), Perfecty Push (`key_auth`, `key_p256dh`), the packages
 * for PHP and Laravel (`publicKey`, `authToken`) and others that store what the browser gives.
 */
const names: Record<ColumnRole, string[]> = {
  endpoint: [
    ...["endpoint", "identifier", "pushendpoint", "subscriptionendpoint", "endpointurl", "pushtoken", "token", "url"],
    ...["registrationtoken", "registrationid", "regid", "fcmtoken", "pushaddress", "deviceid"],
  ],
  p256dh: [
    ...["p256dh", "webp256", "keysp256dh", "publickey", "p256", "userpublickey", "p256dhkey", "keyp256dh", "webp256dh"],
    ...["userkey", "encryptionkey", "clientkey", "pubkey", "browserkey", "key"],
  ],
  auth: [
    ...[
      "auth",
      "webauth",
      "keysauth",
      "authtoken",
      "authsecret",
      "userauth",
      "authkey",
      "keyauth",
      "authenticationsecret",
    ],
    ...["authsecretkey", "secret", "token"],
  ],
  keys: ["keys", "subscriptionkeys", "pushkeys", "encryptionkeys"],
  subscription: [
    ...[
      "subscription",
      "pushsubscription",
      "subscriptionjson",
      "subscriptiondata",
      "subscriptioninfo",
      "websubscription",
    ],
    ...["pushsubscriptionjson", "webpushsubscription", "data", "json"],
  ],
};

/** Tests of whether a value looks like one of each role. */
const looks: Record<ColumnRole, (value: string) => boolean> = {
  endpoint: (value) => /^https:\/\/\S+\/\S{16,}$/.test(value) || isFcmToken(value),
  // Base64 of 65 bytes. The first byte is 4 (an uncompressed point), so the text begins with B.
  p256dh: (value) => /^B[A-Za-z0-9+/_-]{86}={0,2}$/.test(value),
  auth: (value) => /^[A-Za-z0-9+/_-]{22}={0,2}$/.test(value),
  keys: (value) => /^\W*\{/.test(value) && value.includes("p256dh") && !value.includes("endpoint"),
  subscription: (value) => /^\W*\{/.test(value) && value.includes("endpoint"),
};

/** Returns whether a value is the end of an endpoint of Chrome. Some exports give only that. */
export function isFcmToken(value: string): boolean {
  return /^[\w-]{8,}:[\w-]{100,}$/.test(value);
}

/**
 * Guesses the roles of the columns from their names (undefined: the file has none) and some records. What the values
 * look like counts for more than a name. A column has one role. The columns that say who has left are found by their
 * names, or by the names within their JSON.
 */
export function guessColumns(
  header: string[] | undefined,
  records: string[][],
  roles: ColumnRole[] = ["subscription", "endpoint", "keys", "p256dh", "auth"],
): Columns {
  const width = Math.max(header?.length ?? 0, ...records.map((record) => record.length));
  const found: Columns = {};
  const taken = new Set<number>();
  for (const role of roles) {
    const scores = Array.from({ length: width }, (_, at) =>
      taken.has(at) ? 0 : scoreOf(role, header?.[at], records, at),
    );
    const best = scores.indexOf(Math.max(...scores));
    if (best < 0 || scores[best]! <= 0) continue;
    found[role] = best;
    taken.add(best);
  }
  for (const kind of ["left", "subscribed"] as const) {
    const ends = (header ?? []).flatMap((name, at) =>
      !taken.has(at) && endOf(name, records, at) === kind ? [at] : [],
    );
    if (ends.length > 0) found[kind] = ends;
  }
  return found;
}

/**
 * Returns how a column says who has left. A column of JSON whose members say so counts as `subscribed`, because its
 * cells are looked into.
 */
function endOf(name: string, records: string[][], at: number): EndKind | undefined {
  const known = endOfName(name);
  if (known !== undefined || isOfPublisher(name)) return known;
  const within = records.flatMap((record) => flatten(objectIn(record[at]) ?? {}));
  return within.some((field) => endOfName(field.name) !== undefined) ? "subscribed" : undefined;
}

/** Returns whether a first record names columns: none of its cells looks like a value of a subscription. */
export function isHeader(record: string[]): boolean {
  return !record.some((cell) => Object.values(looks).some((fits) => fits(cell.trim())));
}

/**
 * Returns how well a name fits a role, from 0.5 down to 0 (not at all). A name that only ends with a known name fits
 * less.
 */
function fitOf(role: ColumnRole, name: string): number {
  const known = fits.get(name) ?? measureFits(name);
  return known[role];
}

const fits = new Map<string, Record<ColumnRole, number>>();
const maxRemembered = 2_000;

function measureFits(name: string): Record<ColumnRole, number> {
  const words = wordsOfName(name);
  const measure = (role: ColumnRole) => {
    const exact = names[role].indexOf(words.join(""));
    if (exact >= 0) return 0.5 - exact / 100;
    const ends = words.map((_, from) => names[role].indexOf(words.slice(from).join(""))).filter((rank) => rank >= 0);
    return ends.length === 0 ? 0 : 0.25 - Math.min(...ends) / 100;
  };
  const measured = Object.fromEntries(columnRoles.map((role) => [role, measure(role)])) as Record<ColumnRole, number>;
  // Records in JSON may come with any number of names.
  if (fits.size >= maxRemembered) fits.clear();
  fits.set(name, measured);
  return measured;
}

function scoreOf(role: ColumnRole, name: string | undefined, records: string[][], at: number): number {
  const byName = fitOf(role, name ?? "");
  const values = records.map((record) => record[at]?.trim() ?? "").filter((value) => value !== "");
  if (values.length === 0) return byName;
  const share = values.filter(looks[role]).length / values.length;
  if (share > 0) return byName + share;
  // An export of all channels also has e-mail addresses in the column of endpoints. A value that is not JSON holds no
  // keys.
  return role === "keys" || role === "subscription" ? 0 : byName / 10;
}
