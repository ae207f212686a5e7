import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { publicBase } from "../../config.ts";
import { inTenant, type Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { isId, newId } from "../../ids.ts";
import { queueEmail } from "../../mail/queue-email.ts";
import { passwordEmail } from "../emails.ts";
import { membershipsOfUser } from "../members/queries.ts";
import { generateLinkToken, hashLinkToken } from "./link-token.ts";
import { hashPassword } from "./password.ts";
import {
  deletePasswordLink,
  lockUser,
  replacePassword,
  replacePasswordLink,
  userByEmail,
  userOfPasswordLink,
} from "./queries.ts";

/** A link that sets a new password, once. */
const validHours = 24;

export type PasswordLink = { email: string; token: string; validHours: number };

/**
 * Makes a link by which a member of the actor's tenant sets a new password, for an owner to hand over. Not for whoever
 * works for another tenant too: whoever holds the link could sign in there. Throws `not_found` and `other_tenants`.
 */
export async function createPasswordLink(
  app: App,
  actor: Actor,
  input: { userId: string },
): Promise<Omit<PasswordLink, "email">> {
  const { userId } = input;
  if (!isId(userId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    // Before their tenants are read: who is just joining another one must be seen.
    await lockUser(tx, userId);
    const memberships = await membershipsOfUser(tx, userId);
    const isMember = memberships.some(({ tenantId }) => tenantId === actor.tenantId);
    if (!isMember) throw appError("not_found", { message: "This person is no member any more." });
    if (memberships.length > 1) throw appError("other_tenants");
    await recordAuditEvent(tx, actor, "password.link_made", { subjectId: userId });
    return { token: await keepLink(tx, userId), validHours };
  });
}

/**
 * The same for the person with this address, whoever they work for: for the operator. Each of their tenants finds it in
 * its audit log. Throws `not_found`.
 */
export async function createPasswordLinkFor(app: App, email: string): Promise<PasswordLink> {
  return app.db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email.toLowerCase());
    if (user === undefined) throw appError("not_found", { message: `Nobody has the address ${email}.` });
    for (const { tenantId } of await membershipsOfUser(tx, user.id)) {
      await recordAuditEvent(tx, { kind: "operator", tenantId }, "password.link_made", { subjectId: user.id });
    }
    return { email: email.toLowerCase(), token: await keepLink(tx, user.id), validHours };
  });
}

/**
 * Mails a link to whoever has this address, if anybody has. Says nothing of whether: whoever asks may be a stranger.
 * Does nothing where no e-mail is sent.
 */
export async function mailPasswordLink(app: App, email: string): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email);
    if (user === undefined || app.config.SMTP_URL === undefined) return;
    const token = await keepLink(tx, user.id);
    const link = passwordAddress(publicBase(app.config, ""), token);
    await queueEmail(app, tx, passwordEmail({ email, link, validHours }));
  });
}

/** Where a link for a new password leads. Its token stands behind the #, which no server and no log sees. */
export function passwordAddress(base: string, token: string): string {
  return `${base}/new-password#${token}`;
}

/** Whose password a link sets. Throws `not_found`. */
export async function readPasswordLink(app: App, token: string): Promise<{ email: string }> {
  const found = await userOfPasswordLink(app.db, hashLinkToken(token));
  if (found === undefined) throw goneLink();
  return { email: found.email };
}

/** Sets the password of a link's person, and signs them out everywhere. Works once. Throws `not_found`. */
export async function resetPassword(app: App, input: { token: string; password: string }): Promise<{ email: string }> {
  const tokenHash = hashLinkToken(input.token);
  const passwordHash = await hashPassword(input.password);
  return app.db.transaction().execute(async (tx) => {
    const found = await userOfPasswordLink(tx, tokenHash);
    if (found === undefined || !(await deletePasswordLink(tx, tokenHash))) throw goneLink();
    await replacePassword(tx, found.userId, passwordHash);
    return { email: found.email };
  });
}

async function keepLink(tx: Tx, userId: string): Promise<string> {
  const { token, tokenHash } = generateLinkToken();
  await replacePasswordLink(tx, { id: newId(), userId, tokenHash, validHours });
  return token;
}

function goneLink() {
  const message = `This link was used already, was replaced by another, or is over ${validHours} hours old. Ask for a new one.`;
  return appError("not_found", { message });
}
