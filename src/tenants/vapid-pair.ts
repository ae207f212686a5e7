import { createECDH } from "node:crypto";
import type { SecretBox } from "../secret-box.ts";

/** A site's key pair for VAPID (RFC 8292) on P-256: the public point uncompressed, 65 bytes; the scalar, 32 bytes. */
export type VapidPair = { publicKey: Buffer; privateKey: Buffer };

/** A new pair. Readers subscribe to its public key: losing the private one loses the audience. */
export function generateVapidPair(): VapidPair {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys();
  const scalar = ecdh.getPrivateKey();
  // Node drops leading zeros of the scalar; a JWK wants all 32 bytes.
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]) };
}

/** Whether the public key is the one that follows from the private key. */
export function isVapidPair({ publicKey, privateKey }: VapidPair): boolean {
  const ecdh = createECDH("prime256v1");
  try {
    ecdh.setPrivateKey(privateKey);
  } catch {
    // Zero, or not below the order of the curve.
    return false;
  }
  return ecdh.getPublicKey().equals(publicKey);
}

/** The private key as it is stored: sealed for this site only, so that a row copied to another site does not open. */
export function sealVapidKey(secrets: SecretBox, siteId: string, privateKey: Buffer): Buffer {
  return secrets.seal(privateKey, `vapid:${siteId}`);
}

/** The inverse of sealVapidKey. Throws when SECRET_KEY is not the one that sealed it. */
export function openVapidKey(secrets: SecretBox, siteId: string, sealed: Buffer): Buffer {
  return secrets.open(sealed, `vapid:${siteId}`);
}
