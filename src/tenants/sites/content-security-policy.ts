/** The sources of a policy, as they are written, by directive in lower case (CSP Level 3, section 2.2.1). */
type Policy = Map<string, string[]>;

/** The directives that a browser looks up, in order, until the policy has one (CSP Level 3, section 6.8.3). */
const fallbacks = {
  "script-src-elem": ["script-src-elem", "script-src", "default-src"],
  "connect-src": ["connect-src", "default-src"],
  "worker-src": ["worker-src", "child-src", "script-src", "default-src"],
} as const;

export type Directive = keyof typeof fallbacks;

/** Reads the policies of a page from its headers (a comma separates several) and its <meta> elements. */
export function readPolicies(header: string | string[] | undefined, html: string): Policy[] {
  const metas = (html.match(/<meta\b[^>]*>/gi) ?? [])
    .filter((tag) => /http-equiv\s*=\s*["']?content-security-policy["'\s>]/i.test(tag))
    .flatMap((tag) => /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).find(Boolean) ?? []);
  const headers = (Array.isArray(header) ? header : [header ?? ""]).flatMap((value) => value.split(","));
  return [...headers, ...metas].map(readPolicy).filter((policy) => policy.size > 0);
}

/** Reads one policy. If a directive is written twice, the first one counts. */
function readPolicy(text: string): Policy {
  const policy: Policy = new Map();
  for (const directive of text.split(";")) {
    const [name = "", ...sources] = directive.trim().split(/\s+/);
    if (name !== "" && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources);
  }
  return policy;
}

/**
 * Returns whether all policies let a page of the origin `self` use an address in a directive. `nonce`: the nonce of
 * the script's tag. Hashes of scripts are not computed, so a policy that allows the script only by a hash counts as
 * not allowing it.
 */
export function allows(
  policies: Policy[],
  directive: Directive,
  { address, self, nonce }: { address: string; self: string; nonce?: string | undefined },
): boolean {
  const url = new URL(address);
  return policies.every((policy) => {
    const name = fallbacks[directive].find((each) => policy.has(each));
    if (name === undefined) return true;
    const sources = policy.get(name)!;
    if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true;
    // 'strict-dynamic' turns host names off. Only a nonce, or a script that is already trusted, can load another
    // script.
    if (directive === "script-src-elem" && sources.some((source) => source.toLowerCase() === "'strict-dynamic'"))
      return false;
    return sources.some((source) => matches(source, url, self));
  });
}

/**
 * Returns whether a source expression matches a URL (CSP Level 3, section 6.7.2.8). A path in it is compared as a
 * prefix.
 */
function matches(source: string, url: URL, self: string): boolean {
  const text = source.toLowerCase();
  if (text === "'self'") return url.origin === self;
  if (text === "*") return /^(https?|wss?):$/.test(url.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return text === url.protocol;
  const [, scheme, host, port, path] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
  if (host === undefined) return false;
  const isScheme =
    scheme === undefined ||
    `${scheme.toLowerCase()}:` === url.protocol ||
    (scheme === "http" && url.protocol === "https:");
  const name = host.toLowerCase();
  const isHost = name.startsWith("*.") ? url.hostname.endsWith(name.slice(1)) : name === url.hostname;
  const isPort =
    port === undefined
      ? url.port === ""
      : port === "*" || port === (url.port || (url.protocol === "https:" ? "443" : "80"));
  return isScheme && isHost && isPort && (path === undefined || path === "/" || url.pathname.startsWith(path));
}
