import type { App } from "../../app.ts";

/** The length of a token of `generateLinkToken`: 32 bytes in base64url. */
const tokenLength = 43;

/**
 * Returns the form of a link's token that is only ever e-mailed: the token and a proof. The proof cannot be derived
 * from the token, which the dashboard or the command line may show. So the proof shows that its
 * holder reads the e-mail of that address.
 */
export function mailedToken(app: App, token: string): string {
  return token + app.secrets.sign(signedText(token)).toString("base64url");
}

/**
 * Reads the token of a link. `isMailed`: the token was e-mailed. A token with a wrong proof is returned whole, and
 * matches no link.
 */
export function readLinkToken(app: App, text: string): { token: string; isMailed: boolean } {
  const [token, proof] = [text.slice(0, tokenLength), Buffer.from(text.slice(tokenLength), "base64url")];
  return app.secrets.verify(signedText(token), proof) ? { token, isMailed: true } : { token: text, isMailed: false };
}

function signedText(token: string): Buffer {
  return Buffer.from(`mailed link ${token}`);
}
