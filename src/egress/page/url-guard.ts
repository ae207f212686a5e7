import { isIP } from "node:net";
import { faults } from "../../faults.ts";
import { isPublicAddress, isPublicName } from "./public-address.ts";

/** Reasons to refuse a URL that are visible in the URL itself. Each has advice for the person who entered it. */
export const urlRefusals = {
  length: faults.url_too_long({ most: 2_048 }),
  characters: faults.url_characters(),
  scheme: faults.url_scheme(),
  syntax: faults.url_syntax(),
  userinfo: faults.url_user_name(),
  host: faults.url_host(),
  address: faults.url_internal(),
  port: faults.url_port(),
} as const;

export type UrlRefusal = keyof typeof urlRefusals;

/** `allowListed`: the operator lists this host, so its addresses and its port are not checked. */
export type UrlVerdict = { allowed: true; url: URL; allowListed: boolean } | { allowed: false; reason: UrlRefusal };

/** A host that the operator allows. `hostname`: as in `URL.hostname`. `port`: null allows every port. */
export type AllowedHost = { hostname: string; port: number | null };

export type UrlRules = { allowHosts: AllowedHost[]; allowPorts?: number[] };

/**
 * Parses `host[:port]` entries such as `127.0.0.1:8443`, `[::1]` or `cms.intranet`. Throws an Error that names the
 * first invalid entry, so that a wrong configuration shows at the start.
 */
export function readAllowHosts(entries: string[]): AllowedHost[] {
  return entries.map((entry) => {
    const [, host, port] = /^(\[[^\]]+\]|[^[\]:/?#@\\*\s]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const url = host === undefined ? null : URL.parse(`https://${host}/`);
    if (!url || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) {
      throw new Error(`"${entry}" is not host[:port]`);
    }
    return { hostname: url.hostname.replace(/\.$/, ""), port: port === undefined ? null : Number(port) };
  });
}

/**
 * Checks an untrusted URL before its name is resolved. The verdict of an allowed URL has the parsed URL, without its
 * fragment and without a dot at the end of its host. Callers must use that URL and not parse `raw` again. Names that
 * resolve to internal addresses pass here; `openPageConnection` detects them.
 */
export function checkUrl(raw: string, rules: UrlRules): UrlVerdict {
  const refuse = (reason: UrlRefusal): UrlVerdict => ({ allowed: false, reason });
  if (raw.length > 2048) return refuse("length");
  // The parser drops tabs and line breaks, trims, and turns \ into /, so its URL would differ from the given one.
  if (/[\p{Cc}\s\\]/u.test(raw)) return refuse("characters");
  // The parser also accepts "https:host" and "https:///host".
  const authority = /^https:\/\/([^/?#]+)/i.exec(raw)?.[1];
  if (authority === undefined) return refuse("scheme");
  if (authority.includes("@")) return refuse("userinfo");
  const url = URL.parse(raw);
  if (!url) return refuse("syntax");
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  const port = Number(url.port || 443);
  const allowListed = rules.allowHosts.some((host) => host.hostname === url.hostname && (host.port ?? port) === port);
  if (allowListed) return { allowed: true, url, allowListed };
  const literal = hostLiteral(url);
  if (literal !== null ? !isPublicAddress(literal) : isInternalName(url.hostname)) return refuse("address");
  if (literal === null && !isPublicName(url.hostname)) return refuse("host");
  if (!(rules.allowPorts ?? [443]).includes(port)) return refuse("port");
  return { allowed: true, url, allowListed };
}

/** Returns the URL's IP address, without brackets; null if the URL has a name. */
export function hostLiteral(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? null : host;
}

/**
 * Returns whether a name is reserved for internal networks (RFC 6761, 6762, 8375, ICANN's .internal). No public DNS
 * resolves such a name.
 */
function isInternalName(hostname: string): boolean {
  return /(^|\.)(localhost|local|internal|home\.arpa)$/.test(hostname);
}
