import { z } from "zod";
import type { Actor, Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { type Executor, inTenant } from "../../db/pool.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { isId, newId } from "../../ids.ts";
import { expects, oneOfMany, parseInput } from "../../input.ts";
import { type Scope, scopes } from "../../scope.ts";
import { apiKeyPrefix, generateApiKeySecret, hashApiKey } from "./key-secret.ts";
import { type ApiKeyRecord, apiKeysOfTenant, countApiKeysLocked, deleteApiKeyRow, insertApiKey } from "./queries.ts";

const apiKeyName = z
  .string(expects("a string"))
  .transform((name) => name.normalize("NFC").trim())
  .refine((name) => name !== "", zodText(faults.empty()))
  // Code points, as PostgreSQL counts the characters of the column.
  .refine((name) => [...name].length <= 80, zodText(faults.too_long({ most: 80 })))
  .refine((name) => !/\p{Cc}/u.test(name), zodText(faults.control_characters()));

const someScopes = z
  .array(oneOfMany(scopes), expects("an array"))
  .min(1, zodText(faults.no_scope()))
  .transform((given) => scopes.filter((scope) => given.includes(scope)));

const expiry = z.iso.datetime({ offset: true, error: zodText(faults.not_a_time()) });

const newKey = z.strictObject(
  { name: apiKeyName, scopes: someScopes.nullish(), expiresAt: expiry.nullish() },
  expects("a JSON object"),
);

/** The most keys a tenant may have. */
export const maxKeys = 50;

/** A key as its owners see it, without its secret. */
export type ApiKeyView = ReturnType<typeof viewApiKey>;

function viewApiKey({ id: keyId, createdAt, lastUsedAt, scopes: some, expiresAt, ...rest }: ApiKeyRecord) {
  return {
    keyId,
    ...rest,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    // The fields are absent, as in the request, for a key that may do everything or does not expire.
    ...(some === null ? {} : { scopes: some }),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
  };
}

/** Lists the API keys of the actor's tenant, newest first. A tenant has at most 50, so there is one page. */
export async function listApiKeys(app: App, actor: Actor): Promise<{ data: ApiKeyView[]; nextCursor: null }> {
  const keys = await apiKeysOfTenant(app.db, actor.tenantId);
  return { data: keys.map(viewApiKey), nextCursor: null };
}

/**
 * Creates an API key for the actor's tenant from `{ name, scopes?, expiresAt? }`. Without `scopes`, the key may do
 * everything. Without `expiresAt`, it does not expire. The secret is returned only here. Throws `validation_failed`
 * and `key_limit`.
 */
export async function addApiKey(
  app: App,
  actor: Member,
  input: { body: unknown },
): Promise<ApiKeyView & { secret: string }> {
  const { name, scopes: some, expiresAt } = parseInput(newKey, input.body);
  if (expiresAt && Date.parse(expiresAt) <= app.now()) {
    throw invalidFields([fault("/expiresAt", faults.past())]);
  }
  const limits = { ...(some && { scopes: some }), ...(expiresAt && { expiresAt }) };
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if ((await countApiKeysLocked(tx, actor.tenantId)) >= maxKeys) throw appError("key_limit");
    const { keyId, secret } = await createApiKey(tx, {
      tenantId: actor.tenantId,
      name,
      createdBy: actor.userId,
      ...limits,
    });
    const details = { name, prefix: apiKeyPrefix(secret), ...limits };
    await recordAuditEvent(tx, actor, "key.made", { subjectId: keyId, details });
    const [record] = await apiKeysOfTenant(tx, actor.tenantId, keyId);
    return { ...viewApiKey(record!), secret };
  });
}

/**
 * Creates an API key of a tenant for set-up and the command line, without a limit and without an audit event.
 * `secret` is returned only here, because the database stores its SHA-256. Throws a ZodError for a bad name.
 */
export async function createApiKey(
  on: Executor,
  input: { tenantId: string; name: string; createdBy: string | null; scopes?: Scope[]; expiresAt?: string },
): Promise<{ keyId: string; secret: string }> {
  const secret = generateApiKeySecret();
  const keyId = newId();
  await insertApiKey(on, {
    id: keyId,
    tenantId: input.tenantId,
    name: apiKeyName.parse(input.name),
    prefix: apiKeyPrefix(secret),
    hash: hashApiKey(secret),
    createdBy: input.createdBy,
    scopes: input.scopes ?? null,
    expiresAt: input.expiresAt ?? null,
  });
  return { keyId, secret };
}

/**
 * Deletes an API key. Every request looks its key up, so the key stops working on all nodes at once. Throws
 * `not_found`.
 */
export async function deleteApiKey(app: App, actor: Actor, input: { keyId: string }): Promise<void> {
  const { keyId } = input;
  if (!isId(keyId)) throw appError("not_found");
  await inTenant(app.db, actor.tenantId, async (tx) => {
    const deleted = await deleteApiKeyRow(tx, actor.tenantId, keyId);
    if (deleted === undefined) throw appError("not_found");
    await recordAuditEvent(tx, actor, "key.deleted", { subjectId: keyId, details: deleted });
  });
}
