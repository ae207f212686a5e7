import { z } from "zod";
import type { App } from "../../app.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { expects, parseInput } from "../../input.ts";
import { countFailure } from "../../rate-limits/count-requests.ts";
import { recordRefusedSignIn } from "../accounts/account-events.ts";
import { hashLinkToken, linkToken } from "../accounts/credentials.ts";
import type { Caller, Sessions, SignedIn } from "../accounts/sessions.ts";
import { enforceCodeLimit } from "./code-limit.ts";
import { hashRecoveryCode, openSecret, stepOfCode } from "./codes.ts";
import { acceptStep, challengeByToken, deleteChallenge, secondFactorLocked, useRecoveryCode } from "./queries.ts";

const codeInput = z.strictObject(
  { challenge: linkToken, code: z.string(expects("a string")).max(40, zodText(faults.not_a_code())) },
  expects("a JSON object"),
);

type UsedFactor = "app" | "recovery code";

/**
 * Completes a sign-in whose password was right, with `{ challenge, code }`. `code` is a code of the app or a recovery
 * code. Each code works once. Throws `rate_limited`, `sign_in_failed` for a sign-in that is over, and
 * `validation_failed` for a wrong code.
 */
export async function signInWithCode(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ signedIn: SignedIn; setCookies: string[] }> {
  const { challenge, code } = parseInput(codeInput, input.body);
  await countFailure(app, caller.address);
  const tokenHash = hashLinkToken(challenge);
  const found = await challengeByToken(app.db, tokenHash);
  if (found === undefined) throw challengeIsOver();
  const { userId, email, rememberMe } = found;
  await enforceCodeLimit(app, userId);
  const factor = await useCode(app, { userId, tokenHash, code: code.trim() });
  if (factor === null) {
    recordRefusedSignIn(app, email, "code");
    throw invalidFields([fault("/code", faults.used_code())]);
  }
  return sessions.start(caller, { userId, rememberMe, proof: "code", details: { code: factor } });
}

/** Uses up both the code and the challenge, or neither. Returns null for a wrong code. */
async function useCode(
  app: App,
  { userId, tokenHash, code }: { userId: string; tokenHash: Buffer; code: string },
): Promise<UsedFactor | null> {
  return app.db.transaction().execute(async (tx) => {
    const factor = await secondFactorLocked(tx, userId);
    // The second factor was switched off meanwhile: the person signs in again, without a code.
    if (factor === undefined) throw challengeIsOver();
    const step = stepOfCode(openSecret(app.secrets, userId, factor.secretSealed), code, app.now());
    const isFresh = step !== null && step > factor.lastStep;
    if (isFresh) await acceptStep(tx, { userId, step });
    else if (!(await useRecoveryCode(tx, userId, hashRecoveryCode(code)))) return null;
    if (!(await deleteChallenge(tx, tokenHash))) throw challengeIsOver();
    return isFresh ? "app" : "recovery code";
  });
}

function challengeIsOver() {
  return appError("sign_in_failed", { message: "This sign-in took too long or is done. Sign in again." });
}
