import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { type ApiKeyView, viewApiKey } from "./api-key.ts";
import { apiKeysOfTenant } from "./queries.ts";

/** The API keys of the actor's tenant, the newest first: never their secrets. At most 50, so there is one page. */
export async function listApiKeys(app: App, actor: Actor): Promise<{ data: ApiKeyView[]; nextCursor: null }> {
  const keys = await apiKeysOfTenant(app.db, actor.tenantId);
  return { data: keys.map(viewApiKey), nextCursor: null };
}
