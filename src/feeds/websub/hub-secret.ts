import { createHmac } from "node:crypto";
import type { SecretBox } from "../../secret-box.ts";
import { sameBytes } from "../../secret-box.ts";

/**
 * Returns the secret with which a feed's hub signs its pushes, in hex. It differs for each feed and hub, and is derived
 * from SECRET_KEY and stored nowhere.
 */
export function hubSecret(secrets: SecretBox, feed: { id: string; hubUrl: string }): string {
  return hubSecrets(secrets, feed)[0]!;
}

/** The secret above with each key of SECRET_KEY, newest first: a hub keeps the one that it got until its lease ends. */
export function hubSecrets(secrets: SecretBox, feed: { id: string; hubUrl: string }): string[] {
  return secrets.signatures(Buffer.from(`websub ${feed.id} ${feed.hubUrl}`)).map((each) => each.toString("hex"));
}

/** Whether `signature` (X-Hub-Signature, such as `sha256=…`) is that of `body` under `secret` (WebSub section 7.1). */
export function isSignedBy(secret: string, signature: string, body: Buffer): boolean {
  const [, method, hex] = /^(sha1|sha256|sha384|sha512)=([0-9a-f]{40,128})$/i.exec(signature.trim()) ?? [];
  if (method === undefined) return false;
  return sameBytes(createHmac(method.toLowerCase(), secret).update(body).digest(), Buffer.from(hex!, "hex"));
}
