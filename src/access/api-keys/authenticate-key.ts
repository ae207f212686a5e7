import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { type Allowance, keyLimit } from "../../rate-limits/limits.ts";
import { hashApiKey, looksLikeApiKey } from "./api-key.ts";
import { recordApiKeyUse, useApiKey } from "./queries.ts";

/** Who holds this bearer token, or why nobody does (RFC 6750): no token at all, or one that is not valid. */
export type KeyAuthentication =
  | { actor: Extract<Actor, { kind: "key" }>; allowance: Allowance }
  | { refused: "missing" | "invalid" };

/**
 * Reads the Authorization headers of a request (all of them: two are no identity) and counts the request for its key.
 * The database is asked on each request, so a deleted key ends at once on every node; a wrong checksum does not even
 * reach it.
 */
export async function authenticateKey(app: App, authorization: string[]): Promise<KeyAuthentication> {
  const [only, ...more] = authorization;
  if (only === undefined || only === "") return { refused: "missing" };
  const secret = /^bearer ([!-~]+)$/i.exec(only)?.[1];
  if (more.length > 0 || secret === undefined || !looksLikeApiKey(secret)) return { refused: "invalid" };
  const limit = keyLimit(app);
  const key = await useApiKey(app.db, hashApiKey(secret), limit.windowSeconds);
  if (key === undefined) return { refused: "invalid" };
  const { keyId, tenantId, stale, used, resetSeconds } = key;
  if (stale) await recordApiKeyUse(app.db, keyId);
  return { actor: { kind: "key", tenantId, keyId }, allowance: { limit, used, resetSeconds } };
}
