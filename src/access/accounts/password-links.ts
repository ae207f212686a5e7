import { z } from "zod";
import type { Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { publicBase } from "../../config.ts";
import { inTenant, type Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { isId, newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { queueEmail, sendsMail } from "../../mail/queue-email.ts";
import { countFailure, countRequest, isOver } from "../../rate-limits/count-requests.ts";
import { passwordMailLimit } from "../../rate-limits/limits.ts";
import { passwordEmail } from "../emails.ts";
import { membershipsOfUser } from "../members/queries.ts";
import { requireOwnerLocked } from "../members/require-owner.ts";
import { emailAddress, generateLinkToken } from "./credentials.ts";
import { mailedToken } from "./mailed-token.ts";
import { lockUser, replacePasswordLink, userByEmail } from "./queries.ts";
import type { Caller } from "./sessions.ts";

/** How many hours a password link works. It sets a new password once. */
export const passwordLinkHours = 24;

const requestInput = z.strictObject({ email: emailAddress }, expects("a JSON object"));

export type PasswordLink = { email: string; token: string; validHours: number };

/**
 * Creates a password link for a member of the actor's tenant. The actor, an owner, hands the link over. Refused for
 * a member of several tenants, because the owner could use the link to sign in to the others. The link ends when
 * the actor stops being an owner. Throws `not_found`, `other_tenants` and `forbidden`.
 */
export async function createPasswordLink(
  app: App,
  actor: Member,
  input: { userId: string },
): Promise<Omit<PasswordLink, "email">> {
  const { userId } = input;
  if (!isId(userId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    await requireOwnerLocked(tx, actor);
    // The lock comes before the memberships are read, so that this transaction waits for one that adds a membership
    // and sees it.
    await lockUser(tx, userId);
    const memberships = await membershipsOfUser(tx, userId);
    const isMember = memberships.some(({ tenantId }) => tenantId === actor.tenantId);
    if (!isMember) throw appError("not_found", { message: "This person is no member any more." });
    if (memberships.length > 1) throw appError("other_tenants");
    await recordAuditEvent(tx, actor, "password.link_made", { subjectId: userId });
    return { token: await storeLink(tx, userId, actor.userId), validHours: passwordLinkHours };
  });
}

/**
 * Creates a password link for the person with this e-mail address, on behalf of the operator. It is recorded in the
 * audit log of each tenant of the person. Throws `not_found`.
 */
export async function createPasswordLinkFor(app: App, email: string): Promise<PasswordLink> {
  return app.db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email.toLowerCase());
    if (user === undefined) throw appError("not_found", { message: `Nobody has the address ${email}.` });
    for (const { tenantId } of await membershipsOfUser(tx, user.id)) {
      await recordAuditEvent(tx, { kind: "operator", tenantId }, "password.link_made", { subjectId: user.id });
    }
    return { email: email.toLowerCase(), token: await storeLink(tx, user.id, null), validHours: passwordLinkHours };
  });
}

/**
 * Sends a password link to `{ email }` if the address has an account. The answer and its time are the same if the
 * address has no account or got too many links, because the caller may be a stranger who probes for accounts. Throws
 * `validation_failed`, `no_mail` if SMTP_URL is not set, and `rate_limited` for the caller's address.
 */
export async function requestPasswordLink(app: App, caller: Caller, input: { body: unknown }): Promise<void> {
  const { email } = parseInput(requestInput, input.body);
  if (!sendsMail(app)) throw appError("no_mail");
  await countFailure(app, caller.address);
  if (isOver(await countRequest(app, passwordMailLimit, email))) return;
  // Not awaited: the time of the look-up would reveal whether the address has an account.
  void sendPasswordLink(app, email).catch((error: unknown) => {
    app.log.error({ err: error }, "a password link could not be queued");
  });
}

async function sendPasswordLink(app: App, email: string): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email);
    if (user === undefined) return;
    const token = mailedToken(app, await storeLink(tx, user.id, null));
    const link = passwordLinkUrl(publicBase(app.config, ""), token);
    await queueEmail(app, tx, passwordEmail({ email, link, validHours: passwordLinkHours }));
  });
}

/** Returns the URL of a password link. The token is in the fragment, which browsers send to no server. */
export function passwordLinkUrl(base: string, token: string): string {
  return `${base}/new-password#${token}`;
}

async function storeLink(tx: Tx, userId: string, madeBy: string | null): Promise<string> {
  const { token, tokenHash } = generateLinkToken();
  await replacePasswordLink(tx, { id: newId(), userId, madeBy, tokenHash, validHours: passwordLinkHours });
  return token;
}
