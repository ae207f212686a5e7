import { createCipheriv, createECDH, createHmac, createSecretKey, type ECDH, randomFillSync } from "node:crypto";
import { maxPayloadBytes } from "../../runs/payload.ts";

const publicKeyBytes = 65;
const authSecretBytes = 16;
const saltBytes = 16;
const tagBytes = 16;
/** Salt, record size, key id length, key id (RFC 8188 section 2.1). */
const headerBytes = saltBytes + 4 + 1 + publicKeyBytes;
const recordBytes = 4_096;
/** Ends the last record (RFC 8188 section 2). */
const lastRecordDelimiter = 2;
/** The salts that one call for random bytes makes, because such a call costs as much as an HMAC. */
const saltsPerSlab = 256;

/** The inputs of HKDF-Expand, with the counter byte of its only block (RFC 5869 section 2.3). */
const keyInfoPrefix = Buffer.from("WebPush: info\0");
const contentKeyInfo = Buffer.from("Content-Encoding: aes128gcm\0\x01");
const nonceInfo = Buffer.from("Content-Encoding: nonce\0\x01");

/** Messages of one length, packed. The i-th part of each buffer belongs to subscriber i. */
export type PlainBatch = {
  count: number;
  /** count × 65 bytes: each subscriber's `p256dh`, an uncompressed point. */
  publicKeys: Buffer;
  /** count × 16 bytes: each subscriber's `auth`. */
  authSecrets: Buffer;
  /** count × plaintextBytes: each subscriber's message. */
  plaintexts: Buffer;
  plaintextBytes: number;
};

export type SealedBatch = {
  /** count × bodyBytes: bodies ready to POST with `content-encoding: aes128gcm`. */
  bodies: Buffer;
  bodyBytes: number;
  /** One byte per message: 1 if the public key is not a point on P-256. Its body is zeros and must not be sent. */
  invalid: Uint8Array;
};

/**
 * An encryptor of batches. It is not reentrant, so each thread needs its own. `createEncryptor` uses only Node.js,
 * `openNativeEncryptor` the C++ helper.
 */
export type Encryptor = { encryptBatch(batch: PlainBatch): SealedBatch };

/** A fixed key pair and salt for every message, used only to check an example bit for bit. */
export type FixedKeys = { privateKey: Buffer; salt: Buffer };

/** Encrypts one message into `out` at `at`. Returns false if the public key is not a point on P-256. */
type Seal = (publicKey: Buffer, authSecret: Buffer, padded: Buffer, out: Buffer, at: number) => boolean;

/**
 * Returns an encryptor for web push (RFC 8291, content coding aes128gcm of RFC 8188), with one record and no padding.
 * Each message gets a new key pair and salt, except with `example`. `encryptBatch` throws RangeError if the sizes do
 * not fit.
 */
export function createEncryptor(example?: FixedKeys): Encryptor {
  const seal = createSeal(example);
  return {
    encryptBatch(batch) {
      const { count, publicKeys, authSecrets, plaintexts, plaintextBytes } = batch;
      const sealed = roomFor(batch);
      const { bodies, bodyBytes, invalid } = sealed;
      const padded = Buffer.allocUnsafe(plaintextBytes + 1);
      padded[plaintextBytes] = lastRecordDelimiter;
      for (let i = 0; i < count; i++) {
        const publicKey = publicKeys.subarray(i * publicKeyBytes, (i + 1) * publicKeyBytes);
        const authSecret = authSecrets.subarray(i * authSecretBytes, (i + 1) * authSecretBytes);
        plaintexts.copy(padded, 0, i * plaintextBytes, (i + 1) * plaintextBytes);
        const at = i * bodyBytes;
        if (seal(publicKey, authSecret, padded, bodies, at)) continue;
        invalid[i] = 1;
        bodies.fill(0, at, at + bodyBytes);
      }
      return sealed;
    },
  };
}

/**
 * Returns the fastest encryption in plain Node.js (measured in docs/decisions/0008-native-encryption.md): one ECDH
 * object with a new key pair per message, five HMACs, and no WebCrypto. `computeSecret` takes more than half of the
 * time, because it validates our own new pair again. Generating private keys for `setPrivateKey` gains nothing,
 * because it makes `computeSecret` slower by the same amount. Keys pass through `createSecretKey`, which takes 1 µs.
 * With a Buffer as key, Node.js 24 takes 10 µs.
 */
function createSeal(example: FixedKeys | undefined): Seal {
  const ecdh = createECDH("prime256v1");
  const nextSalt = example === undefined ? saltSlab() : () => example.salt;
  const keyInfo = Buffer.alloc(keyInfoPrefix.length + 2 * publicKeyBytes + 1);
  keyInfoPrefix.copy(keyInfo);
  keyInfo[keyInfo.length - 1] = 1;
  return (publicKey, authSecret, padded, out, at) => {
    const ourPublicKey = example === undefined ? ecdh.generateKeys() : fixedKeys(ecdh, example.privateKey);
    const shared = agree(ecdh, publicKey);
    if (shared === undefined) return false;
    keyInfo.set(publicKey, keyInfoPrefix.length);
    keyInfo.set(ourPublicKey, keyInfoPrefix.length + publicKeyBytes);
    const salt = nextSalt();
    const pseudorandomKey = hmac(salt, hmac(hmac(authSecret, shared), keyInfo));
    const contentKey = hmac(pseudorandomKey, contentKeyInfo).subarray(0, 16);
    const nonce = hmac(pseudorandomKey, nonceInfo).subarray(0, 12);

    out.set(salt, at);
    out.writeUInt32BE(recordBytes, at + saltBytes);
    out[at + saltBytes + 4] = publicKeyBytes;
    out.set(ourPublicKey, at + saltBytes + 5);
    const cipher = createCipheriv("aes-128-gcm", createSecretKey(contentKey), nonce);
    out.set(cipher.update(padded), at + headerBytes);
    cipher.final();
    out.set(cipher.getAuthTag(), at + headerBytes + padded.length);
    return true;
  };
}

/**
 * Returns the shared secret; undefined if the peer's key is not a point on P-256. RFC 8291 section 7 requires this
 * check.
 */
function agree(ecdh: ECDH, publicKey: Buffer): Buffer | undefined {
  // OpenSSL also accepts the hybrid forms 06 and 07, but RFC 8291 allows only the uncompressed form.
  if (publicKey[0] !== 4) return undefined;
  try {
    return ecdh.computeSecret(publicKey);
  } catch {
    return undefined;
  }
}

function hmac(key: Buffer, message: Buffer): Buffer {
  return createHmac("sha256", createSecretKey(key)).update(message).digest();
}

function fixedKeys(ecdh: ECDH, privateKey: Buffer): Buffer {
  ecdh.setPrivateKey(privateKey);
  return ecdh.getPublicKey();
}

/**
 * Returns a function that gives salts from a buffer. The function refills the buffer when it is used up. Each salt is
 * used before the next call, so none is copied.
 */
function saltSlab(): () => Buffer {
  const slab = Buffer.alloc(saltsPerSlab * saltBytes);
  let next = slab.length;
  return () => {
    if (next === slab.length) {
      randomFillSync(slab);
      next = 0;
    }
    next += saltBytes;
    return slab.subarray(next - saltBytes, next);
  };
}

/**
 * Allocates the result for `batch` and returns it. Its bodies are not written yet. Throws RangeError if the buffers
 * do not hold `count` messages of `plaintextBytes`, or the messages are too long.
 */
export function roomFor({ count, publicKeys, authSecrets, plaintexts, plaintextBytes }: PlainBatch): SealedBatch {
  if (!(plaintextBytes >= 0 && plaintextBytes <= maxPayloadBytes)) {
    throw new RangeError(`A plaintext has 0 to ${maxPayloadBytes} bytes, not ${plaintextBytes}.`);
  }
  const fits =
    publicKeys.length === count * publicKeyBytes &&
    authSecrets.length === count * authSecretBytes &&
    plaintexts.length === count * plaintextBytes;
  if (!fits) throw new RangeError(`The packed buffers do not hold ${count} messages of ${plaintextBytes} bytes.`);
  const bodyBytes = headerBytes + plaintextBytes + 1 + tagBytes;
  return { bodies: Buffer.allocUnsafe(count * bodyBytes), bodyBytes, invalid: new Uint8Array(count) };
}
