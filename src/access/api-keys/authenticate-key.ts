import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { type Allowance, bucketOf } from "../../rate-limits/count-requests.ts";
import { keyLimit } from "../../rate-limits/limits.ts";
import type { Scope } from "../../scope.ts";
import { hashApiKey, looksLikeApiKey } from "./key-secret.ts";
import { recordApiKeyUse, useApiKey } from "./queries.ts";

/**
 * The key of a bearer token, or why there is none (RFC 6750): no token was sent, or the token is not valid. `scopes`:
 * what the key may do; null for everything.
 */
export type KeyAuthentication =
  | { actor: Extract<Actor, { kind: "key" }>; scopes: Scope[] | null; allowance: Allowance }
  | { refused: "missing" | "invalid" };

/**
 * Authenticates a request by its Authorization header lines, and counts the request for its key. Two lines are
 * refused, because servers and proxies disagree on which one counts. Each request looks the key up, so a deleted key
 * stops working on all nodes at once and an expired key stops on time. A token with a wrong checksum is refused
 * without a look-up.
 */
export async function authenticateKey(app: App, authorization: string[]): Promise<KeyAuthentication> {
  const [line, ...further] = authorization;
  if (line === undefined || line === "") return { refused: "missing" };
  const secret = bearerToken(line);
  if (further.length > 0 || secret === undefined || !looksLikeApiKey(secret)) return { refused: "invalid" };
  const limit = keyLimit(app);
  const hash = hashApiKey(secret);
  const bucket = bucketOf(app, limit, hash.toString("hex"));
  const key = await useApiKey(app.db, { hash, bucket, windowSeconds: limit.windowSeconds });
  if (key === undefined) return { refused: "invalid" };
  const { keyId, tenantId, scopes, isUseStale, used, resetSeconds } = key;
  if (isUseStale) await recordApiKeyUse(app.db, keyId);
  return { actor: { kind: "key", tenantId, keyId }, scopes, allowance: { limit, used, resetSeconds, bucket } };
}

/**
 * Returns the token of `Bearer TOKEN` (RFC 6750, section 2.1; the scheme is case-insensitive); undefined for anything
 * else.
 */
function bearerToken(authorization: string): string | undefined {
  return /^bearer ([!-~]+)$/i.exec(authorization)?.[1];
}
