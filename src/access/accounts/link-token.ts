import { createHash, randomBytes } from "node:crypto";

/** The secret of a link that opens a door once: 256 random bits, base64url. The database keeps its hash. */
export function generateLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: hashLinkToken(token) };
}

/** SHA-256: 256 random bits need no slow hash. */
export function hashLinkToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
