import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
/** First byte of a sealed value: the version of the scheme, so that a later one can coexist with this one. */
const version = 1;

/** Seals values at rest and signs tokens with keys derived from SECRET_KEY. Does not keep SECRET_KEY itself. */
export type SecretBox = {
  /** Encrypts `plain` with AES-256-GCM, bound to `context` (such as "vapid:SITE"): version ‖ iv ‖ ciphertext ‖ tag. */
  seal(plain: Buffer, context: string): Buffer;
  /** The inverse of `seal`. Throws if the key, the context or any byte differs. */
  open(sealed: Buffer, context: string): Buffer;
  /** HMAC-SHA256 of `data` with the token key, 32 bytes. */
  sign(data: Buffer): Buffer;
  /** The token key itself, for the delivery threads, which sign a token for each message. */
  tokenKey: Buffer;
};

/** Creates the box for `secretKey`, a text of 32 characters or more. Derives one key per purpose with HKDF (RFC 5869). */
export function createSecretBox(secretKey: string): SecretBox {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync("sha256", secretKey, "pressbell", purpose, 32));
  const sealKey = keyFor("seal");
  const tokenKey = keyFor("token");
  return {
    tokenKey,
    seal(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", sealKey, iv).setAAD(Buffer.from(context));
      return Buffer.concat([Buffer.of(version), iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, context) {
      if (sealed[0] !== version) throw new Error(`sealed value has unknown version ${sealed[0]}`);
      const iv = sealed.subarray(1, 1 + ivBytes);
      const decipher = createDecipheriv("aes-256-gcm", sealKey, iv).setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes, -tagBytes)), decipher.final()]);
    },
    sign: (data) => createHmac("sha256", tokenKey).update(data).digest(),
  };
}

/** Compares two byte strings in constant time for their length: the time does not reveal where they differ. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
