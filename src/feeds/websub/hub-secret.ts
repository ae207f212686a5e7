import { createHmac } from "node:crypto";
import type { SecretBox } from "../../secret-box.ts";
import { sameBytes } from "../../secret-box.ts";

/**
 * Returns the secret with which a feed's hub signs its pushes, in hex. It differs for each feed and hub. It is derived
 * from SECRET_KEY and stored nowhere.
 */
export function hubSecret(secrets: SecretBox, feed: { id: string; hubUrl: string }): string {
  return hubSecrets(secrets, feed)[0]!;
}

/**
 * Returns that secret for each key of SECRET_KEY, the newest first. A hub keeps the secret that it got until its lease
 * ends.
 */
export function hubSecrets(secrets: SecretBox, feed: { id: string; hubUrl: string }): string[] {
  return secrets.signatures(Buffer.from(`websub ${feed.id} ${feed.hubUrl}`)).map((each) => each.toString("hex"));
}

/**
 * Returns whether `signature` (X-Hub-Signature, such as `sha256=…`) is that of `body` with `secret` (WebSub section
 * 7.1).
 */
export function isSignedBy(secret: string, signature: string, body: Buffer): boolean {
  const [, method, hex] = /^(sha1|sha256|sha384|sha512)=([0-9a-f]{40,128})$/i.exec(signature.trim()) ?? [];
  if (method === undefined) return false;
  return sameBytes(createHmac(method.toLowerCase(), secret).update(body).digest(), Buffer.from(hex!, "hex"));
}
