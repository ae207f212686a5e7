import type { ResponseHeaders } from "./response-headers.ts";

/** The cookies of one fetch with its redirects: sites that set one and ask again are read as by a browser. */
export type CookieJar = {
  /** Takes the Set-Cookie headers of an answer from `url`. */
  take(url: URL, headers: ResponseHeaders): void;
  /** The Cookie header for a request to `url`; undefined without a cookie for it. */
  headerFor(url: URL): string | undefined;
};

type Cookie = { name: string; value: string; host: string; isHostOnly: boolean; path: string };

/** What a browser keeps of one site, and what servers take as one header. Later cookies are left out. */
const cookiesAtMost = 50;
const cookieCharactersAtMost = 4_096;
const headerCharactersAtMost = 8_192;

/**
 * An empty jar (RFC 6265 section 5). It forgets everything with its fetch, so of the attributes only those matter that
 * say to whom a cookie goes, and whether it is deleted. A cookie never leaves its host, or the domain that it names and
 * that its host is in. `now`: ms since 1970.
 */
export function createCookieJar(now: () => number = Date.now): CookieJar {
  const cookies = new Map<string, Cookie>();

  function takeOne(url: URL, line: string): void {
    const cookie = readCookie(url, line);
    if (cookie === undefined) return;
    const key = [cookie.name, cookie.host, cookie.path].join("\n");
    if (isDeleted(attributesOf(line), now())) cookies.delete(key);
    else if (cookies.has(key) || cookies.size < cookiesAtMost) cookies.set(key, cookie);
  }

  return {
    take(url, headers) {
      for (const line of [headers["set-cookie"] ?? []].flat()) takeOne(url, line);
    },
    headerFor(url) {
      const fitting = [...cookies.values()].filter((cookie) => isFor(url, cookie));
      let header = "";
      for (const { name, value } of fitting.toSorted((a, b) => b.path.length - a.path.length)) {
        const pair = name === "" ? value : `${name}=${value}`;
        const longer = header === "" ? pair : `${header}; ${pair}`;
        if (longer.length <= headerCharactersAtMost) header = longer;
      }
      return header === "" ? undefined : header;
    },
  };
}

/** One Set-Cookie header; undefined for one that is refused: too long, empty, or for a host that is not its own. */
function readCookie(url: URL, line: string): Cookie | undefined {
  const pair = line.split(";", 1)[0]!.trim();
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  if (pair.length > cookieCharactersAtMost || (name === "" && value === "")) return undefined;
  const attributes = attributesOf(line);
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  const isHostOnly = domain === "";
  // A single label, such as `com`, is nobody's.
  if (!isHostOnly && domain !== url.hostname && !(domain.includes(".") && isWithin(url.hostname, domain)))
    return undefined;
  const path = attributes.get("path") ?? "";
  return {
    name,
    value,
    isHostOnly,
    host: isHostOnly ? url.hostname : domain,
    path: path.startsWith("/") ? path : defaultPath(url),
  };
}

/** The attributes behind the pair, in lower case; of one that comes twice the last. */
function attributesOf(line: string): Map<string, string> {
  const attributes = line.split(";").slice(1);
  return new Map(
    attributes.map((attribute): [string, string] => {
      const [name = "", ...value] = attribute.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim()];
    }),
  );
}

function isDeleted(attributes: Map<string, string>, now: number): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  return Date.parse(attributes.get("expires") ?? "") <= now;
}

/** The folder of the address that set it (RFC 6265 section 5.1.4). */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf("/")));
}

function isFor({ hostname, pathname }: URL, { host, isHostOnly, path }: Cookie): boolean {
  if (hostname !== host && (isHostOnly || !isWithin(hostname, host))) return false;
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

/** Whether a name is below a domain. Never for an address: `1.2.3.4` is not below `3.4`. */
function isWithin(hostname: string, domain: string): boolean {
  return hostname.endsWith(`.${domain}`) && !/^[\d.]+$|^\[/.test(hostname);
}
