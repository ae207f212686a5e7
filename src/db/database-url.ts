import { accessSync, constants } from "node:fs";

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
const rule = "must be postgres://USER:PASSWORD@HOST:PORT/DATABASE (in PASSWORD write %2F for /, %25 for %)";

/**
 * Returns what is wrong with a `postgres://` URL of one or several hosts; undefined if nothing is. The text continues
 * a sentence that begins with the setting's name. It never repeats the URL, which holds a password. An unknown
 * sslmode is a fault, because the `pg` library would treat it as verify-full.
 */
export function faultOfDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return "must be a postgres:// URL";
  if (text.includes("#")) return "must not have a #: write %23";
  const { hosts, parameters } = partsOf(text);
  if (hosts.length > 1 && hosts.includes("")) return "must not have an empty host in its list";
  if ((parameters.get(attribute) ?? "read-write") !== "read-write")
    return `has another ${attribute} than read-write: the server that takes writes is the only one that can be used`;
  if (!urlsOfHosts(text).every(isUrl)) return rule;
  const mode = parameters.get("sslmode");
  if (mode !== null && !modes.includes(mode)) return `has an unknown sslmode: it is one of ${modes.join(", ")}`;
  const unread = ["sslrootcert", "sslcert", "sslkey"].find((name) => !isReadable(parameters.get(name)));
  return unread === undefined ? undefined : `has an ${unread} that names a file which cannot be read`;
}

const attribute = "target_session_attrs";

/**
 * Returns whether the server that takes writes has to be found: the URL names several servers, or says `read-write`.
 */
export function asksForPrimary(url: string): boolean {
  const { hosts, parameters } = partsOf(url);
  return hosts.length > 1 || parameters.has(attribute);
}

/**
 * Returns a URL for each host that `url` names in one of libpq's ways: `postgres://u:p@a:5432,b:5432/db`, or `host`
 * and `port` in the query as lists with commas. A single port holds for all hosts. The `pg` library would treat such
 * a list as one name.
 */
export function urlsOfHosts(url: string): string[] {
  if (!asksForPrimary(url)) return [url];
  const { login, authorityHost, hosts, path, parameters } = partsOf(url);
  const isInQuery = parameters.has("host");
  const ports = parameters.get("port")?.split(",") ?? [];
  return hosts.map((host, i) => {
    const own = new URLSearchParams(parameters);
    own.delete(attribute);
    if (isInQuery) own.set("host", host);
    if (ports.length > 0) own.set("port", ports[i] ?? ports[0]!);
    return `${login}${isInQuery ? authorityHost : host}${path}?${own}`;
  });
}

function partsOf(url: string) {
  const [, login, places, path] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)/.exec(url)!;
  const parameters = new URLSearchParams(url.split("?")[1] ?? "");
  const authorityHosts = places!.split(",");
  const hosts = parameters.get("host")?.split(",") ?? authorityHosts;
  return { login: login!, authorityHost: authorityHosts[0]!, hosts, path: path!, parameters };
}

function isUrl(text: string): boolean {
  const [authority] = /^\w+:\/\/[^/?#]*/.exec(text)!;
  // The URL of a socket may have no host: postgres://user@/database?host=/run/postgresql.
  return URL.canParse(text.replace("@/", "@localhost/")) && isDecodable(authority);
}

function isReadable(file: string | null): boolean {
  try {
    if (file) accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
