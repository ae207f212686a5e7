import type { ResponseHeaders } from "./response-headers.ts";

/**
 * The cookies of one fetch and its redirects. Some sites set a cookie and redirect to the same page; with the jar
 * they answer as to a browser.
 */
export type CookieJar = {
  /** Stores the cookies that an answer from `url` sets. */
  take(url: URL, headers: ResponseHeaders): void;
  /** Returns the Cookie header for a request to `url`; undefined if no cookie is for it. */
  headerFor(url: URL): string | undefined;
};

type Cookie = { name: string; value: string; host: string; isHostOnly: boolean; path: string };

/**
 * Limits like those of browsers and servers: cookies of one fetch, and characters of a cookie and of a header.
 * Cookies beyond them are left out.
 */
const cookiesAtMost = 50;
const cookieCharactersAtMost = 4_096;
const headerCharactersAtMost = 8_192;

/**
 * Creates an empty jar (RFC 6265 section 5). The jar lasts for one fetch. It therefore reads only the attributes that
 * say which requests get a cookie and whether it is deleted. A cookie goes only to its own host, or to the domain
 * that it names if that includes its host. `now`: ms since 1970.
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

/**
 * Returns the cookie of one Set-Cookie header. Returns undefined if it is too long, empty, or for a domain that does
 * not include the host of `url`.
 */
function readCookie(url: URL, line: string): Cookie | undefined {
  const pair = line.split(";", 1)[0]!.trim();
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  if (pair.length > cookieCharactersAtMost || (name === "" && value === "")) return undefined;
  const attributes = attributesOf(line);
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  const isHostOnly = domain === "";
  // A single label, such as `com`, belongs to no site.
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

/**
 * Returns the attributes after the pair, with names in lower case. If an attribute is repeated, the last one counts.
 */
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

/** Returns the folder of the address that set the cookie (RFC 6265 section 5.1.4). */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf("/")));
}

function isFor({ hostname, pathname }: URL, { host, isHostOnly, path }: Cookie): boolean {
  if (hostname !== host && (isHostOnly || !isWithin(hostname, host))) return false;
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

/** Returns whether a name is below a domain. False for every IP address: `1.2.3.4` is not below `3.4`. */
function isWithin(hostname: string, domain: string): boolean {
  return hostname.endsWith(`.${domain}`) && !/^[\d.]+$|^\[/.test(hostname);
}
