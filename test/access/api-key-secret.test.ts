import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  apiKeyPrefix,
  generateApiKeySecret,
  hashApiKey,
  looksLikeApiKey,
} from "../../src/access/api-keys/key-secret.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("an API key", () => {
  const secret = generateApiKeySecret();

  test("is pbk_, 32 random characters and the CRC32 of both, as scanners for leaked keys expect", () => {
    expect(secret).toMatch(/^pbk_[0-9A-Za-z]{38}$/);
    const value = [...secret.slice(36)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(secret.slice(0, 36)));
  });

  test("is recognised by its format alone", () => {
    for (let i = 0; i < 200; i++) expect(looksLikeApiKey(generateApiKeySecret())).toBe(true);
  });

  test("is not valid with any one character changed", () => {
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === "x" ? "y" : "x";
      expect(looksLikeApiKey(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
  });

  test.each(["", "pbk_", secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`, secret.toUpperCase()])(
    "is not %j",
    (text) => {
      expect(looksLikeApiKey(text)).toBe(false);
    },
  );

  test("is stored as its SHA-256, and shown by its first 8 characters", () => {
    expect(hashApiKey(secret)).toHaveLength(32);
    expect(hashApiKey(secret)).not.toEqual(hashApiKey(generateApiKeySecret()));
    expect(apiKeyPrefix(secret)).toBe(secret.slice(0, 8));
  });
});
