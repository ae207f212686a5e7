/** The names of the known push services. The name of any other is its origin, from PUSH_SERVICES. */
type KnownPushService = "fcm" | "mozilla" | "apple" | "wns";

const exactHosts: Record<string, KnownPushService> = {
  "fcm.googleapis.com": "fcm",
  "jmt17.google.com": "fcm",
};

const hostSuffixes: [string, KnownPushService][] = [
  [".push.services.mozilla.com", "mozilla"],
  [".push.apple.com", "apple"],
  [".notify.windows.com", "wns"],
];

/** The host of nearly all subscribers of a push service. WNS has none: it has one host per region. */
export const mainOrigins = {
  fcm: "https://fcm.googleapis.com",
  mozilla: "https://updates.push.services.mozilla.com",
  apple: "https://web.push.apple.com",
} as const satisfies Partial<Record<KnownPushService, string>>;

/**
 * Returns whether the browsers of a push service usually report displays. Used for subscribers whose browser has not
 * said so, such as imported ones. Safari from 18.4 on shows notifications without the service worker, so it sends no
 * report.
 */
export function usuallyReportsDisplays(pushService: string): boolean {
  return pushService !== "apple";
}

/**
 * Returns whether an origin is a side host of its push service: a regional host, or a host that a subscription made
 * up. A push service that is named after its origin has no side hosts.
 */
export function isSideHost(pushService: string, origin: string): boolean {
  return pushService !== origin && (mainOrigins as Partial<Record<string, string>>)[pushService] !== origin;
}

/**
 * Returns the name of the push service at an origin (`https://host[:port]`), or undefined for an unknown one.
 * Endpoints come from browsers and are as untrusted as any URL. Without this list, a subscription could make Pressbell
 * POST anywhere. `further`: the origins of PUSH_SERVICES.
 */
export function pushServiceOfOrigin(origin: string, further: readonly string[]): string | undefined {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "https:") return undefined;
  if (further.some((listed) => new URL(listed).origin === origin)) return origin;
  if (port !== "") return undefined;
  return exactHosts[hostname] ?? hostSuffixes.find(([suffix]) => hostname.endsWith(suffix))?.[1];
}

/** Returns the names of the known push services and of those in PUSH_SERVICES (`further`). */
export function pushServicesOf(further: readonly string[]): string[] {
  const known = new Set<string>([...Object.values(exactHosts), ...hostSuffixes.map(([, pushService]) => pushService)]);
  return [...known, ...further.map((listed) => new URL(listed).origin)];
}

/**
 * Path and query of the endpoints of the known push services. The format of the tokens is the push services' own. The
 * patterns check only the alphabet and a minimum length far below what was seen, so that longer or shorter tokens of
 * the future pass.
 */
const shapes: Record<KnownPushService, RegExp> = {
  // Registration tokens of about 150 characters. Chromium has /wp/ and, in builds for tests, /preprod/wp/ too.
  fcm: /^\/(fcm\/send|(preprod\/)?wp)\/[\w:.~%-]{64,}$/,
  // Fernet tokens: 140 characters in v1, without a key of the site, and 183 in v2, with one.
  mozilla: /^\/wpush\/v\d\/[\w=-]{64,}$/,
  // About 170 characters of base64url.
  apple: /^\/[\w./~=-]{32,}$/,
  // At least 200 bytes of base64, percent-encoded.
  wns: /^\/(w\/)?\?token=[\w%+/=.~-]{64,}$/,
};

/**
 * Returns whether an endpoint looks like those that this push service gives to browsers. True for an unknown push
 * service.
 */
export function hasShapeOf(pushService: string, { pathname, search }: URL): boolean {
  return !Object.hasOwn(shapes, pushService) || shapes[pushService as KnownPushService].test(pathname + search);
}
