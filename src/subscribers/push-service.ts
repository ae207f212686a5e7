/** The lanes of the known push services. The lane of any other service is its origin, from PUSH_SERVICES. */
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

/** The host of nearly all subscribers of a push service. WNS has none: it has one host per region. */
const mainOrigins: Partial<Record<string, string>> = {
  fcm: "https://fcm.googleapis.com",
  mozilla: "https://updates.push.services.mozilla.com",
  apple: "https://web.push.apple.com",
} satisfies Partial<Record<KnownLane, string>>;

/**
 * Returns whether an origin is a side host of its lane: a regional host, or one that a subscription has invented. A lane
 * that is named after its origin has no side hosts.
 */
export function isSideHost(lane: string, origin: string): boolean {
  return lane !== origin && mainOrigins[lane] !== origin;
}

/**
 * Returns the lane of a push-service origin (`https://host[:port]`), or undefined for an unknown one. Endpoints come from
 * browsers and are as untrusted as any URL: without this list a subscription could make the service POST anywhere.
 * `further`: the origins of PUSH_SERVICES.
 */
export function laneOfOrigin(origin: string, further: readonly string[]): string | undefined {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "https:") return undefined;
  if (further.some((listed) => new URL(listed).origin === origin)) return origin;
  if (port !== "") return undefined;
  return exactHosts[hostname] ?? hostSuffixes.find(([suffix]) => hostname.endsWith(suffix))?.[1];
}
