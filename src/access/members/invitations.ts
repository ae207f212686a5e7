import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { publicBase } from "../../config.ts";
import { inTenant } from "../../db/pool.ts";
import { appError, invalidFields } from "../../errors.ts";
import { isId, newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { queueEmail } from "../../mail/queue-email.ts";
import { enforceLimit, invitationLimit, invitationsLimit } from "../../rate-limits/limits.ts";
import { createUser, emailAddress } from "../accounts/create-user.ts";
import { generateLinkToken, hashLinkToken } from "../accounts/link-token.ts";
import { userByEmail } from "../accounts/queries.ts";
import { invitationEmail } from "../emails.ts";
import type { Role } from "../roles.ts";
import { memberRole } from "./members.ts";
import {
  deleteInvitationRow,
  type InvitationRecord,
  insertMember,
  invitationByToken,
  membersOfTenant,
  replaceInvitation,
  roleInTenant,
} from "./queries.ts";

const newInvitation = z.strictObject({ email: emailAddress, role: memberRole }, expects("a JSON object"));

const validDays = 7;

/**
 * Invites an address to the actor's tenant. The token is returned this once: the link that holds it is mailed where
 * e-mail is set up (`mailed`), else handed over by whoever invites. Inviting an address again ends its earlier link.
 * Throws `validation_failed` and `rate_limited`.
 */
export async function inviteMember(
  app: App,
  actor: Extract<Actor, { kind: "user" }>,
  input: { body: unknown },
): Promise<{ invitationId: string; email: string; role: Role; token: string; mailed: boolean }> {
  const { email, role } = parseInput(newInvitation, input.body);
  const { tenantId, userId: invitedBy } = actor;
  const members = await membersOfTenant(app.db, tenantId);
  if (members.some((member) => member.email === email)) {
    throw invalidFields([{ path: "/email", message: "is a member already" }]);
  }
  await countInvitation(app, tenantId, email);
  const { token, tokenHash } = generateLinkToken();
  const id = newId();
  const mailed = await inTenant(app.db, tenantId, async (tx) => {
    await replaceInvitation(tx, { id, tenantId, email, role, tokenHash, invitedBy, validDays });
    await recordAuditEvent(tx, actor, "member.invited", { subjectId: id, details: { role } });
    const { tenantName } = (await invitationByToken(tx, tokenHash))!;
    const link = `${publicBase(app.config, "")}/invitation#${token}`;
    return queueEmail(app, tx, invitationEmail({ email, tenantName, role, link, validDays }));
  });
  return { invitationId: id, email, role, token, mailed };
}

/** The address is not kept: its bucket is a hash under the key of tokens. */
async function countInvitation(app: App, tenantId: string, email: string): Promise<void> {
  const address = app.secrets.sign(Buffer.from(`invitation ${tenantId} ${email}`)).toString("base64url");
  const again = `This address was invited ${invitationLimit.quota} times within an hour. Invite it again later.`;
  await enforceLimit(app, invitationLimit, address, again);
  const many = `${invitationsLimit.quota} people were invited within a day. Invite the others later.`;
  await enforceLimit(app, invitationsLimit, tenantId, many);
}

/** Takes an invitation back: its link is worth nothing from now on. Throws `not_found`. */
export async function deleteInvitation(app: App, actor: Actor, input: { invitationId: string }): Promise<void> {
  const { invitationId } = input;
  await inTenant(app.db, actor.tenantId, async (tx) => {
    if (!isId(invitationId) || !(await deleteInvitationRow(tx, actor.tenantId, invitationId))) {
      throw appError("not_found", { message: "This invitation is taken already, or was withdrawn." });
    }
    await recordAuditEvent(tx, actor, "invitation.withdrawn", { subjectId: invitationId });
  });
}

/** What an invitation says to whoever holds its link; `hasAccount`: the address can sign in already. Throws `not_found`. */
export async function readInvitation(
  app: App,
  token: string,
): Promise<{ tenantName: string; email: string; role: Role; hasAccount: boolean }> {
  const { tenantName, email, role } = await findInvitation(app, token);
  return { tenantName, email, role, hasAccount: (await userByEmail(app.db, email)) !== undefined };
}

/**
 * Takes an invitation: its person becomes a member, and it is worth nothing any more. Whoever has no account yet gets one
 * with `password`; of whom has one the caller has checked the password. Throws `not_found` and `validation_failed`.
 */
export async function acceptInvitation(app: App, input: { token: string; password: string }): Promise<void> {
  const { id, tenantId, email, role } = await findInvitation(app, input.token);
  await inTenant(app.db, tenantId, async (tx) => {
    // Of two who hold the link one is first.
    if (!(await deleteInvitationRow(tx, tenantId, id))) throw goneInvitation();
    const userId = (await userByEmail(tx, email))?.id ?? (await createUser(tx, { email, password: input.password }));
    if ((await roleInTenant(tx, userId, tenantId)) !== undefined) return;
    await insertMember(tx, { id: newId(), tenantId, userId, role });
    await recordAuditEvent(tx, { kind: "user", tenantId, userId }, "member.joined", {
      subjectId: userId,
      details: { role },
    });
  });
}

async function findInvitation(app: App, token: string): Promise<InvitationRecord> {
  const found = await invitationByToken(app.db, hashLinkToken(token));
  if (found === undefined) throw goneInvitation();
  return found;
}

function goneInvitation() {
  const message = "This invitation is taken, withdrawn or over 7 days old. Ask whoever sent it for another one.";
  return appError("not_found", { message });
}
