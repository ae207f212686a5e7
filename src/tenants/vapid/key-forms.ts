import { createPrivateKey, createPublicKey, ECDH, type JsonWebKey, type KeyObject } from "node:crypto";

/**
 * The result of reading a private key: a key on P-256 in 32 bytes, or `otherKind` for a key on another curve, with a
 * passphrase or broken. `publicKey`: the uncompressed point that came with the key. Undefined if there is no private
 * key at all.
 */
export type ReadPrivateKey = { privateKey: Buffer; publicKey?: Buffer } | "otherKind" | undefined;

const scalarBytes = 32;
/** The first byte of an uncompressed point (SEC 1, section 2.3.3). Both coordinates follow it. */
const uncompressed = Buffer.of(4);

/**
 * Reads a private key: the scalar, PKCS#8 or SEC 1 (RFC 5915) in base64 or base64url, PKCS#8 or SEC 1 as PEM, or a
 * JWK (RFC 7518, section 6.2). Java's BigInteger puts a zero byte before a scalar whose first bit is set. BigInteger
 * and OpenSSL's BIGNUM omit leading zero bytes.
 */
export function readPrivateKey(stated: unknown): ReadPrivateKey {
  if (isObject(stated)) return "d" in stated ? partsOf(() => createPrivateKey(ofJwk(stated))) : undefined;
  if (typeof stated !== "string") return undefined;
  if (isPem(stated)) return partsOf(() => readDer(bytesOfPem(stated, "PRIVATE KEY")));
  const bytes = readBase64(stated);
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (bytes.length > scalarBytes + 1) return partsOf(() => readDer(bytes));
  const scalar = toScalar(bytes);
  return scalar && { privateKey: scalar };
}

/**
 * Reads a public key on P-256. It may be the point in base64 or base64url, compressed or uncompressed (also without
 * its first byte), an SPKI in base64, base64url or PEM, or a JWK. Returns the uncompressed point, 65 bytes; undefined
 * for anything else.
 */
export function readPublicKey(stated: unknown): Buffer | undefined {
  try {
    if (isObject(stated)) return pointOf(createPublicKey(ofJwk(stated)));
    if (typeof stated !== "string") return undefined;
    const bytes = isPem(stated) ? bytesOfPem(stated, "PUBLIC KEY") : readBase64(stated);
    if (bytes === undefined) return undefined;
    if (bytes.length > 65) return pointOf(createPublicKey({ key: bytes, format: "der", type: "spki" }));
    const point = bytes.length === 64 ? Buffer.concat([uncompressed, bytes]) : bytes;
    return ECDH.convertKey(point, "prime256v1", undefined, undefined, "uncompressed") as Buffer;
  } catch {
    return undefined;
  }
}

export function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const ofJwk = (key: Record<string, unknown>) => ({ key: key as JsonWebKey, format: "jwk" }) as const;

/**
 * Reads base64 or base64url. Some services write + and / and padding, or break lines. Node.js decodes both alphabets.
 */
function readBase64(text: string): Buffer | undefined {
  const characters = text.replace(/\s+/g, "");
  return /^[\w+/-]+={0,2}$/.test(characters) ? Buffer.from(characters, "base64url") : undefined;
}

/**
 * Returns the DER of the block in a PEM text (RFC 7468) whose name ends with `name`. In settings, the block stands on
 * one line, or its line breaks are written as \n. A block with a passphrase has another name, or a header that is no
 * DER.
 */
function bytesOfPem(text: string, name: "PRIVATE KEY" | "PUBLIC KEY"): Buffer {
  const block = new RegExp(`-----BEGIN (?:EC )?${name}-----([^-]*)-----END`).exec(text)?.[1] ?? "";
  return Buffer.from(block.replace(/\\[nr]|\s/g, ""), "base64");
}

function readDer(key: Buffer): KeyObject {
  try {
    return createPrivateKey({ key, format: "der", type: "pkcs8" });
  } catch {
    return createPrivateKey({ key, format: "der", type: "sec1" });
  }
}

/** Returns the parts of a private key. `open` throws if there is no key. */
function partsOf(open: () => KeyObject): ReadPrivateKey {
  try {
    const key = open();
    const { crv, d = "" } = key.export({ format: "jwk" });
    const privateKey = toScalar(Buffer.from(d, "base64url"));
    return crv === "P-256" && privateKey ? { privateKey, publicKey: pointOf(key) } : "otherKind";
  } catch {
    return "otherKind";
  }
}

function pointOf(key: KeyObject): Buffer {
  const { crv, x = "", y = "" } = key.export({ format: "jwk" });
  if (crv !== "P-256") throw new Error("not on P-256");
  return Buffer.concat([uncompressed, Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
}

/** Returns a big-endian number in 32 bytes; undefined if it needs more. */
function toScalar(bytes: Buffer): Buffer | undefined {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.alloc(0) : bytes.subarray(first);
  if (digits.length > scalarBytes) return undefined;
  return Buffer.concat([Buffer.alloc(scalarBytes - digits.length), digits]);
}
