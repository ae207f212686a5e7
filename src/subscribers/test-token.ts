import { isUtf8 } from "node:buffer";
import type { SecretBox } from "../secret-box.ts";

const siteBytes = 16;
const macBytes = 16;
const headBytes = siteBytes + 4;
const maxTokenCharacters = 600;

/**
 * The content of a test token. A browser may become a test device until `expiresAtMs` (ms since 1970, whole seconds).
 */
export type TestInvitation = { siteId: string; label: string; expiresAtMs: number };

/** Signs an invitation for the fragment of a link: site (16 bytes) ‖ expiry (4) ‖ MAC (16) ‖ label, base64url. */
export function writeTestToken(secrets: SecretBox, { siteId, label, expiresAtMs }: TestInvitation): string {
  const head = Buffer.alloc(headBytes);
  head.write(siteId.replaceAll("-", ""), "hex");
  head.writeUInt32BE(Math.floor(expiresAtMs / 1_000), siteBytes);
  const name = Buffer.from(label);
  const mac = secrets.sign(signedPart(head, name)).subarray(0, macBytes);
  return Buffer.concat([head, mac, name]).toString("base64url");
}

/** Returns the label of a test token, or undefined if it is for another site, forged, or expired at `nowMs`. */
export function readTestToken(secrets: SecretBox, siteId: string, text: string, nowMs: number): string | undefined {
  if (text.length > maxTokenCharacters || !/^[\w-]+$/.test(text)) return undefined;
  const token = Buffer.from(text, "base64url");
  if (token.length <= headBytes + macBytes) return undefined;
  const head = token.subarray(0, headBytes);
  const label = token.subarray(headBytes + macBytes);
  const mac = token.subarray(headBytes, headBytes + macBytes);
  if (!secrets.verify(signedPart(head, label), mac, macBytes)) return undefined;
  const isOfSite = head.toString("hex", 0, siteBytes) === siteId.replaceAll("-", "");
  const isFresh = head.readUInt32BE(siteBytes) * 1_000 > nowMs;
  return isOfSite && isFresh && isUtf8(label) ? label.toString() : undefined;
}

/** The prefix separates these signatures from everything else that the same key signs. */
function signedPart(head: Buffer, label: Buffer): Buffer {
  return Buffer.concat([Buffer.from("test device "), head, label]);
}
