import { accessSync, constants } from "node:fs";

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * Returns what is wrong with a `postgres://` URL, as the end of a sentence that begins with the setting's name, or
 * undefined. The `pg` library takes several hosts for one name, and an unknown sslmode for verify-full. Never repeats the
 * URL, which holds a password.
 */
export function faultOfDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return "must be a postgres:// URL";
  const [, authority = ""] = /^\w+:\/\/([^/?#]*)/.exec(text)!;
  if (text.includes("#")) return "must not have a #: write %23";
  const parameters = new URLSearchParams(text.split("?")[1] ?? "");
  if (`${authority.slice(authority.lastIndexOf("@") + 1)}${parameters.get("host") ?? ""}`.includes(","))
    return "must name one host: an address that follows the primary (a virtual IP, HAProxy, PgBouncer), not all servers";
  const rule = "must be postgres://USER:PASSWORD@HOST:PORT/DATABASE (in PASSWORD write %2F for /, %25 for %)";
  // A socket's URL may have no host: postgres://user@/database?host=/run/postgresql.
  const url = URL.parse(text.replace("@/", "@localhost/"));
  if (url === null || !isDecodable(authority)) return rule;
  const mode = parameters.get("sslmode");
  if (mode !== null && !modes.includes(mode)) return `has an unknown sslmode: it is one of ${modes.join(", ")}`;
  const unread = ["sslrootcert", "sslcert", "sslkey"].find((name) => !isReadable(parameters.get(name)));
  return unread === undefined ? undefined : `has an ${unread} that names a file which cannot be read`;
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
