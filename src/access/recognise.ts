import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { hashApiKey, looksLikeApiKey } from "./api-key.ts";
import { apiKeyByHash, noteApiKeyUse } from "./queries.ts";

/** Who holds this bearer token, or why nobody does (RFC 6750): no token at all, or one that is not valid. */
export type Recognition = { actor: Actor } | { refused: "missing" | "invalid" };

/**
 * Reads the Authorization headers of a request (all of them: two are no identity). The database is asked on each
 * request, so a deleted key ends at once on every node; a wrong checksum does not even reach it.
 */
export async function recogniseKey(app: App, authorization: string[]): Promise<Recognition> {
  const [only, ...more] = authorization;
  if (only === undefined || only === "") return { refused: "missing" };
  const secret = /^bearer ([!-~]+)$/i.exec(only)?.[1];
  if (more.length > 0 || secret === undefined || !looksLikeApiKey(secret)) return { refused: "invalid" };
  const key = await apiKeyByHash(app.db, hashApiKey(secret));
  if (key === undefined) return { refused: "invalid" };
  if (key.stale) await noteApiKeyUse(app.db, key.keyId);
  return { actor: { kind: "key", tenantId: key.tenantId, keyId: key.keyId } };
}
