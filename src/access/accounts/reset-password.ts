import { z } from "zod";
import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { expects, parseInput } from "../../input.ts";
import { countFailure } from "../../rate-limits/count-requests.ts";
import { deleteSecondFactor } from "../second-factor/queries.ts";
import { recordAccountEvent } from "./account-events.ts";
import { hashLinkToken, hashPassword, linkToken, newPassword } from "./credentials.ts";
import { readLinkToken } from "./mailed-token.ts";
import { passwordLinkHours } from "./password-links.ts";
import { deletePasswordLink, updatePassword, userOfPasswordLink } from "./queries.ts";
import type { Caller, Sessions } from "./sessions.ts";

const readInput = z.strictObject({ token: linkToken }, expects("a JSON object"));
const resetInput = z.strictObject({ token: linkToken, password: newPassword }, expects("a JSON object"));

/**
 * Returns the e-mail address whose password the link of `{ token }` sets. Every call counts as a failure of the
 * caller's address, because it may be a guess. Throws `validation_failed`, `rate_limited` and `not_found`.
 */
export async function readPasswordLink(app: App, caller: Caller, input: { body: unknown }): Promise<{ email: string }> {
  const { token } = parseInput(readInput, input.body);
  await countFailure(app, caller.address);
  const found = await userOfPasswordLink(app.db, hashLinkToken(readLinkToken(app, token).token));
  if (found === undefined) throw linkNotFound();
  return { email: found.email };
}

/**
 * Sets a password with `{ token, password }`, ends all sessions of the person and signs the caller in. The first
 * e-mailed link of an account also switches off its second factor. A link works once. Throws `validation_failed`,
 * `rate_limited` and `not_found`.
 */
export async function resetPassword(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ setCookies: string[] }> {
  const { token, password } = parseInput(resetInput, input.body);
  await countFailure(app, caller.address);
  const { email } = await storePassword(app, { token, password });
  const session = await sessions.signIn(caller, { email, password });
  return { setCookies: session?.setCookies ?? [] };
}

async function storePassword(app: App, input: { token: string; password: string }): Promise<{ email: string }> {
  const { token, isMailed } = readLinkToken(app, input.token);
  const tokenHash = hashLinkToken(token);
  const passwordHash = await hashPassword(input.password);
  return app.db.transaction().execute(async (tx) => {
    const found = await userOfPasswordLink(tx, tokenHash);
    if (found === undefined || !(await deletePasswordLink(tx, tokenHash))) throw linkNotFound();
    await updatePassword(tx, { userId: found.userId, passwordHash, emailVerified: isMailed });
    if (isMailed && !found.emailVerified) await dropSecondFactor(tx, found.userId);
    await recordAccountEvent(tx, found.userId, { event: "password.changed", details: { byLink: true } });
    return { email: found.email };
  });
}

/**
 * Switches off the second factor. An account with an unverified address may be a stranger's, whose app must not lock
 * out the owner of the address.
 */
async function dropSecondFactor(tx: Tx, userId: string): Promise<void> {
  if (await deleteSecondFactor(tx, userId)) await recordAccountEvent(tx, userId, { event: "factor.removed" });
}

function linkNotFound() {
  const age = `over ${passwordLinkHours} hours old`;
  const message = `This link was used already, was replaced by another, or is ${age}. Ask for a new one.`;
  return appError("not_found", { message });
}
