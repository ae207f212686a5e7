import { createECDH } from "node:crypto";
import type { Executor } from "../../db/pool.ts";
import type { SecretBox } from "../../secret-box.ts";
import { anySealedKey } from "./queries.ts";

/**
 * A VAPID key pair of a site (RFC 8292) on P-256. `publicKey`: an uncompressed point, 65 bytes. `privateKey`: 32
 * bytes.
 */
export type VapidPair = { publicKey: Buffer; privateKey: Buffer };

/** Generates a key pair. Readers subscribe to the public key. If the private key is lost, the audience is lost too. */
export function generateVapidPair(): VapidPair {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys();
  const scalar = ecdh.getPrivateKey();
  // Node.js drops leading zeros of the private key; a JWK needs all 32 bytes.
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]) };
}

/** Returns whether the public key belongs to the private key. */
export function isVapidPair({ publicKey, privateKey }: VapidPair): boolean {
  const ecdh = createECDH("prime256v1");
  try {
    ecdh.setPrivateKey(privateKey);
  } catch {
    // The private key is zero, or not below the order of the curve.
    return false;
  }
  return ecdh.getPublicKey().equals(publicKey);
}

/** Seals a private key for the database and binds it to its site. It does not open in the row of another site. */
export function sealVapidKey(secrets: SecretBox, siteId: string, privateKey: Buffer): Buffer {
  return secrets.seal(privateKey, `vapid:${siteId}`);
}

/** Opens a key that `sealVapidKey` has sealed. Throws if SECRET_KEY is a different key. */
export function openVapidKey(secrets: SecretBox, siteId: string, sealed: Buffer): Buffer {
  return secrets.open(sealed, `vapid:${siteId}`);
}

/**
 * Returns whether SECRET_KEY opens the private keys in this database; true if the database has none yet. The service
 * checks this at its start. With another SECRET_KEY, no message could be signed, and every run would wait until its
 * time to live ends.
 */
export async function secretKeyFits(db: Executor, secrets: SecretBox): Promise<boolean> {
  const sealed = await anySealedKey(db);
  if (sealed === undefined) return true;
  try {
    openVapidKey(secrets, sealed.siteId, sealed.key);
    return true;
  } catch {
    return false;
  }
}
