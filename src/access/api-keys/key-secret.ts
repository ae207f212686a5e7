import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "pbk_";
const randomCharacters = 32;
const checksumCharacters = 6;
const secretPattern = /^pbk_[0-9A-Za-z]{38}$/;

/** How many leading characters of a secret are stored and shown. They let people tell keys apart. */
const shownCharacters = 8;

/**
 * Generates a secret: `pbk_`, 32 random base62 characters (190 bits), and 6 more with the CRC32 of everything before
 * them.
 */
export function generateApiKeySecret(): string {
  const random = Array.from({ length: randomCharacters }, () => base62[randomInt(base62.length)]).join("");
  return prefix + random + checksum(prefix + random);
}

/** Returns whether `text` has the form and the checksum of a secret. Needs no database. */
export function looksLikeApiKey(text: string): boolean {
  return secretPattern.test(text) && text.endsWith(checksum(text.slice(0, -checksumCharacters)));
}

/** Returns the SHA-256 of a secret, which is stored instead of the secret. */
export function hashApiKey(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Returns the first 8 characters of a secret. */
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
