import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ApiKeyRecord } from "./queries.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "pbk_";
const randomCharacters = 32;
const checksumCharacters = 6;
const secretPattern = /^pbk_[0-9A-Za-z]{38}$/;

/** How many characters of a secret may be shown to tell keys apart. */
const shownCharacters = 8;

/** A key as its owner sees it: nothing of it opens a door. */
export type ApiKeyView = ReturnType<typeof viewApiKey>;

export function viewApiKey({ id: keyId, createdAt, lastUsedAt, ...rest }: ApiKeyRecord) {
  return {
    keyId,
    ...rest,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** A new secret: `pbk_`, 32 random base62 characters (190 bits), and the CRC32 of all before it in 6 more. */
export function generateApiKeySecret(): string {
  const random = Array.from({ length: randomCharacters }, () => base62[randomInt(base62.length)]).join("");
  return prefix + random + checksum(prefix + random);
}

/** Whether `text` can be one of our secrets at all: the form and the checksum. Needs no database. */
export function looksLikeApiKey(text: string): boolean {
  return secretPattern.test(text) && text.endsWith(checksum(text.slice(0, -checksumCharacters)));
}

/** What is stored of a secret: its SHA-256. */
export function hashApiKey(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** The beginning of a secret, by which people tell keys apart. */
export function apiKeyPrefix(secret: string): string {
  return secret.slice(0, shownCharacters);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < checksumCharacters; i++) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
