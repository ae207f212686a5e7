import type { App } from "../../app.ts";
import { generateLinkToken } from "../accounts/credentials.ts";
import { insertChallenge } from "./queries.ts";

/** How long a sign-in waits for the code. */
const challengeMinutes = 10;

/** Stores that the person has given their password. Returns the token that the browser sends with the code. */
export async function createChallenge(app: App, input: { userId: string; rememberMe: boolean }): Promise<string> {
  const { token, tokenHash } = generateLinkToken();
  await insertChallenge(app.db, { ...input, tokenHash, validMinutes: challengeMinutes });
  return token;
}
