import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { removeApiKey } from "./queries.ts";

/** Ends an API key at once, on every node: each request asks the database for its key. Throws `not_found`. */
export async function deleteApiKey(app: App, actor: Actor, input: { keyId: string }): Promise<void> {
  if (!isId(input.keyId) || !(await removeApiKey(app.db, actor.tenantId, input.keyId))) throw appError("not_found");
}
