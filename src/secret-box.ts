import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
/** First byte of a sealed value: how it was sealed, so that a later scheme can stand beside this one. */
const version = 1;

/** Seals values at rest and signs tokens; made from SECRET_KEY, whose raw text it does not keep. */
export type SecretBox = {
  /** AES-256-GCM of `plain`, bound to `context` (such as "vapid:SITE"): version ‖ iv ‖ ciphertext ‖ tag. */
  seal(plain: Buffer, context: string): Buffer;
  /** The inverse. Throws when the key, the context or a byte is another one. */
  open(sealed: Buffer, context: string): Buffer;
  /** HMAC-SHA256 of `data` under the key of tokens, 32 bytes. */
  sign(data: Buffer): Buffer;
  /** The key of tokens itself, for the thread that signs one for each message. */
  tokenKey: Buffer;
};

/** The box for `secretKey` (any text of 32 characters or more). Each purpose has a key of its own (RFC 5869). */
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

/** Whether two byte strings are equal, in a time that tells nothing of where they differ. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
