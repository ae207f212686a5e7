import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { deleteApiKeyRow } from "./queries.ts";

/** Ends an API key at once, on every node: each request asks the database for its key. Throws `not_found`. */
export async function deleteApiKey(app: App, actor: Actor, input: { keyId: string }): Promise<void> {
  const { keyId } = input;
  if (!isId(keyId)) throw appError("not_found");
  await inTenant(app.db, actor.tenantId, async (tx) => {
    const removed = await deleteApiKeyRow(tx, actor.tenantId, keyId);
    if (removed === undefined) throw appError("not_found");
    await recordAuditEvent(tx, actor, "key.deleted", { subjectId: keyId, details: removed });
  });
}
