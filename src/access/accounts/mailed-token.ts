import type { App } from "../../app.ts";
import { sameBytes } from "../../secret-box.ts";

/** The length of a token of `generateLinkToken`: 32 bytes in base64url. */
const tokenLength = 43;

/**
 * The form of a link's token that is only ever e-mailed: the token, and a proof that nobody can derive from the token
 * that the dashboard or the command line has shown. Its holder reads the e-mail of that address.
 */
export function mailedToken(app: App, token: string): string {
  return token + proofOf(app, token).toString("base64url");
}

/**
 * Reads the token of a link. `isMailed`: it came out of an e-mail. A token with a wrong proof is returned whole, and no
 * link has it.
 */
export function readLinkToken(app: App, text: string): { token: string; isMailed: boolean } {
  const [token, proof] = [text.slice(0, tokenLength), Buffer.from(text.slice(tokenLength), "base64url")];
  return sameBytes(proof, proofOf(app, token)) ? { token, isMailed: true } : { token: text, isMailed: false };
}

function proofOf(app: App, token: string): Buffer {
  return app.secrets.sign(Buffer.from(`mailed link ${token}`));
}
