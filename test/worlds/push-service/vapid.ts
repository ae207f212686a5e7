import { createPublicKey, verify } from "node:crypto";

export type VapidVerdict = { ok: true; publicKey: string } | { ok: false; reason: string };
export type VapidCheck = (authorization: string | undefined) => VapidVerdict;

type Verified = { publicKey: string; expSeconds: number };
type Claims = { aud?: unknown; exp?: unknown; sub?: unknown };

const MAX_LIFE_SECONDS = 86_400;
const CACHE_ENTRIES = 1000;

/**
 * Makes the check of the Authorization header (RFC 8292 sections 2 and 3): `vapid t=<JWT>, k=<key>`, signed
 * ES256 by `k`, `aud` this origin, `exp` ahead by 24 hours at most, `sub` a mailto: or https: URI.
 * A token found right is remembered: senders use one for hours, and a signature costs more than all the rest.
 *
 * @param now milliseconds since 1970
 */
export function makeVapidCheck(origin: string, now: () => number): VapidCheck {
  const verified = new Map<string, Verified>();
  return (authorization) => {
    if (!authorization) return refuse("no Authorization header");
    const known = verified.get(authorization) ?? verifyToken(authorization, origin);
    if ("reason" in known) return refuse(known.reason);
    const ahead = known.expSeconds - now() / 1000;
    if (ahead <= 0) return refuse("exp is in the past");
    if (ahead > MAX_LIFE_SECONDS) return refuse("exp is more than 24 hours ahead");
    if (verified.size >= CACHE_ENTRIES) verified.clear();
    verified.set(authorization, known);
    return { ok: true, publicKey: known.publicKey };
  };
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** Everything that does not depend on the time of day. */
function verifyToken(authorization: string, origin: string): Verified | { reason: string } {
  const scheme = /^vapid +/i.exec(authorization);
  if (!scheme) return { reason: "Authorization is not of the vapid scheme" };
  const { t, k } = parseParameters(authorization.slice(scheme[0].length));
  if (!t || !k) return { reason: "Authorization has no t or no k" };
  const [header, payload, signature, ...more] = t.split(".");
  if (!header || !payload || !signature || more.length > 0) return { reason: "t is not a JWT" };
  const { alg } = parseObject(header) ?? {};
  if (alg !== "ES256") return { reason: "alg is not ES256" };
  if (!isSignedBy(k, `${header}.${payload}`, signature)) return { reason: "signature does not verify against k" };
  const claims: Claims | undefined = parseObject(payload);
  if (!claims) return { reason: "claims are not JSON" };
  if (claims.aud !== origin) return { reason: `aud is not ${origin}` };
  if (typeof claims.exp !== "number") return { reason: "exp is not a number" };
  if (typeof claims.sub !== "string" || !/^(mailto:.+@|https:\/\/)/.test(claims.sub)) {
    return { reason: "sub is neither mailto: nor https:" };
  }
  return { publicKey: k, expSeconds: claims.exp };
}

function parseParameters(text: string): Record<string, string | undefined> {
  const pairs = text.split(",").map((pair) => pair.trim());
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

function parseObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** `k` is an uncompressed P-256 point in base64url (RFC 8292 section 3.2), the signature r and s of 32 bytes each. */
function isSignedBy(k: string, signed: string, signature: string): boolean {
  const point = Buffer.from(k, "base64url");
  if (point.length !== 65 || point[0] !== 4 || !/^[\w-]{87}$/.test(k)) return false;
  const x = point.toString("base64url", 1, 33);
  const y = point.toString("base64url", 33, 65);
  try {
    const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
    const bytes = Buffer.from(signature, "base64url");
    return verify("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }, bytes);
  } catch {
    // The point is not on the curve.
    return false;
  }
}
