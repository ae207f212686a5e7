import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
/** First byte of a sealed value: the version of the scheme, so that a later one can coexist with this one. */
const version = 1;

/** The fewest characters of a secret key. */
export const minSecretKeyCharacters = 32;

/**
 * Seals values at rest and signs tokens with keys derived from SECRET_KEY. Does not keep SECRET_KEY itself. If
 * SECRET_KEY is a list, its first key, the newest, seals and signs. All keys open and verify.
 */
export type SecretBox = {
  /** Encrypts `plain` with AES-256-GCM, bound to `context` (such as "vapid:SITE"): version ‖ iv ‖ ciphertext ‖ tag. */
  seal(plain: Buffer, context: string): Buffer;
  /** The inverse of `seal`. Throws if no key fits, or if the context or any byte differs. */
  open(sealed: Buffer, context: string): Buffer;
  /** HMAC-SHA256 of `data` with the newest token key, 32 bytes. */
  sign(data: Buffer): Buffer;
  /** HMAC-SHA256 of `data` with each token key, newest first. */
  signatures(data: Buffer): Buffer[];
  /** Whether `mac` is the first `bytes` bytes of a signature of `data` by any token key. */
  verify(data: Buffer, mac: Buffer, bytes?: number): boolean;
  /** The newest token key itself, for the delivery threads, which sign a token for each message. */
  tokenKey: KeyObject;
  /** All token keys, newest first, to check the tokens that come back. */
  tokenKeys: KeyObject[];
};

/**
 * Splits SECRET_KEY at its commas if every part is long enough to be a key. Otherwise it is one key, such as a
 * passphrase with commas.
 */
function keysOf(secretKey: string): string[] {
  const keys = secretKey.split(",").map((key) => key.trim());
  return keys.every((key) => key.length >= minSecretKeyCharacters) ? keys : [secretKey];
}

/**
 * Creates the box for `secretKey`, a text of 32 characters or more, or a comma-separated list of such texts, newest
 * first. Derives one key for each purpose with HKDF (RFC 5869). Keys are KeyObjects, because Node.js 24 takes 10 µs to
 * use a Buffer as a key.
 */
export function createSecretBox(secretKey: string): SecretBox {
  const keys = keysOf(secretKey);
  const keysFor = (purpose: string) =>
    keys.map((key) => createSecretKey(Buffer.from(hkdfSync("sha256", key, "pressbell", purpose, 32))));
  const sealKeys = keysFor("seal");
  const tokenKeys = keysFor("token");
  const signWith = (key: KeyObject, data: Buffer) => createHmac("sha256", key).update(data).digest();
  const signatures = (data: Buffer) => tokenKeys.map((key) => signWith(key, data));
  return {
    tokenKey: tokenKeys[0]!,
    tokenKeys,
    seal: (plain, context) => sealWith(sealKeys[0]!, plain, context),
    open(sealed, context) {
      if (sealed[0] !== version) throw new Error(`sealed value has unknown version ${sealed[0]}`);
      const opened = sealKeys.map((key) => openWith(key, sealed, context)).find((plain) => plain !== undefined);
      if (opened === undefined) throw new Error("sealed value was sealed with another key, or for another context");
      return opened;
    },
    sign: (data) => signWith(tokenKeys[0]!, data),
    signatures,
    verify: (data, mac, bytes = 32) => signatures(data).some((each) => sameBytes(each.subarray(0, bytes), mac)),
  };
}

function sealWith(key: KeyObject, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(context));
  return Buffer.concat([Buffer.of(version), iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens a sealed value. Returns undefined if the key, the context or any byte differs. */
function openWith(key: KeyObject, sealed: Buffer, context: string): Buffer | undefined {
  try {
    const iv = sealed.subarray(1, 1 + ivBytes);
    const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether two byte strings are equal. Takes constant time for their length, so that the time does not reveal
 * where they differ.
 */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
