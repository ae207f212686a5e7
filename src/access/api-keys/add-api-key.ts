import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { expects, parseInput } from "../../input.ts";
import { type ApiKeyView, apiKeyPrefix, viewApiKey } from "./api-key.ts";
import { apiKeyName, createApiKey } from "./create-api-key.ts";
import { apiKeysOfTenant, countApiKeysLocked } from "./queries.ts";

const newKey = z.strictObject({ name: apiKeyName }, expects("a JSON object"));

/** Live keys of a tenant. */
const maxKeys = 50;

/**
 * Makes an API key for the actor's tenant from `{ name }`. The answer holds its secret, this once.
 * Throws `validation_failed` and `key_limit`.
 */
export async function addApiKey(
  app: App,
  actor: Extract<Actor, { kind: "user" }>,
  input: { body: unknown },
): Promise<ApiKeyView & { secret: string }> {
  const { name } = parseInput(newKey, input.body);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if ((await countApiKeysLocked(tx, actor.tenantId)) >= maxKeys) throw appError("key_limit");
    const made = await createApiKey(tx, { tenantId: actor.tenantId, name, createdBy: actor.userId });
    const details = { name, prefix: apiKeyPrefix(made.secret) };
    await recordAuditEvent(tx, actor, "key.made", { subjectId: made.keyId, details });
    const [record] = await apiKeysOfTenant(tx, actor.tenantId, made.keyId);
    return { ...viewApiKey(record!), secret: made.secret };
  });
}
