/** The lanes of the known push services; another service's lane is its origin, as PUSH_SERVICES lists it. */
type KnownLane = "fcm" | "mozilla" | "apple" | "wns";

const exactHosts: Record<string, KnownLane> = {
  "fcm.googleapis.com": "fcm",
  "jmt17.google.com": "fcm",
};

const hostSuffixes: [string, KnownLane][] = [
  [".push.services.mozilla.com", "mozilla"],
  [".push.apple.com", "apple"],
  [".notify.windows.com", "wns"],
];

/** The host that nearly all readers of a push service are at. WNS has none: its hosts are one a region. */
const mainOrigins: Partial<Record<string, string>> = {
  fcm: "https://fcm.googleapis.com",
  mozilla: "https://updates.push.services.mozilla.com",
  apple: "https://web.push.apple.com",
} satisfies Partial<Record<KnownLane, string>>;

/**
 * Whether an origin is one of several of its lane and not the main one: the host of a region, or a name that somebody
 * has made up. A lane that is named after its origin has no others.
 */
export function isSideHost(lane: string, origin: string): boolean {
  return lane !== origin && mainOrigins[lane] !== origin;
}

/**
 * The lane of a push-service origin (`https://host[:port]`), or undefined where it is none that we know.
 * Endpoints come from browsers and are as untrusted as any URL: without this list a subscription could make the
 * service POST anywhere. `further`: the origins of PUSH_SERVICES.
 */
export function laneOfOrigin(origin: string, further: readonly string[]): string | undefined {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "https:") return undefined;
  if (further.some((listed) => new URL(listed).origin === origin)) return origin;
  if (port !== "") return undefined;
  return exactHosts[hostname] ?? hostSuffixes.find(([suffix]) => hostname.endsWith(suffix))?.[1];
}
