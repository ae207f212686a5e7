import { z } from "zod";
import type { Executor } from "../../db/pool.ts";
import { newId } from "../../ids.ts";
import { expects } from "../../input.ts";
import { apiKeyPrefix, generateApiKeySecret, hashApiKey } from "./api-key.ts";
import { insertApiKey } from "./queries.ts";

export const apiKeyName = z
  .string(expects("a string"))
  // As PostgreSQL counts them: code points.
  .transform((name) => name.normalize("NFC").trim())
  .refine((name) => name !== "", "must not be empty")
  .refine((name) => [...name].length <= 80, "must have at most 80 characters")
  .refine((name) => !/\p{Cc}/u.test(name), "must not contain control characters");

/**
 * Makes an API key of a tenant. `secret` is returned here and never again: the database holds its SHA-256 only.
 * Throws a ZodError for a bad name.
 */
export async function createApiKey(
  on: Executor,
  input: { tenantId: string; name: string; createdBy: string | null },
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
  });
  return { keyId, secret };
}
