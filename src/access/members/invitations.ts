import { z } from "zod";
import type { Actor, Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { publicBase } from "../../config.ts";
import { inTenant } from "../../db/pool.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { isId, newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { queueEmail, sendsMail } from "../../mail/queue-email.ts";
import { enforceLimit } from "../../rate-limits/count-requests.ts";
import { invitationLimit, invitationsLimit, unprovenInvitationsLimit } from "../../rate-limits/limits.ts";
import { emailAddress, generateLinkToken } from "../accounts/credentials.ts";
import { mailedToken } from "../accounts/mailed-token.ts";
import { invitationEmail } from "../emails.ts";
import type { Roles } from "../roles.ts";
import {
  countMembers,
  deleteInvitationRow,
  invitationByToken,
  isProvenTenant,
  membersOfTenant,
  replaceInvitation,
} from "./queries.ts";
import { requireOwnerLocked } from "./require-owner.ts";
import { readRoles, rolesFields } from "./wanted-roles.ts";

const newInvitation = z.strictObject({ email: emailAddress, ...rolesFields }, expects("a JSON object"));

const validDays = 7;
/** How many members a tenant may have, open invitations included. Lists of members are not paged. */
export const maxMembers = 500;

/**
 * Invites `{ email, role, siteRoles }` to the actor's tenant. The token is returned only here. `mailed`: the link was
 * queued as an e-mail; otherwise the actor hands it over. The link ends if the address is invited again, and when the
 * actor stops being an owner. Throws `validation_failed`, `rate_limited`, `forbidden` and `member_limit`.
 */
export async function inviteMember(
  app: App,
  actor: Member,
  input: { body: unknown },
): Promise<{ invitationId: string; email: string; token: string; mailed: boolean } & Roles> {
  const { email, ...fields } = parseInput(newInvitation, input.body);
  const { tenantId, userId: invitedBy } = actor;
  const { role, siteRoles, details } = await readRoles(app.db, tenantId, fields);
  const members = await membersOfTenant(app.db, tenantId);
  if (members.some((member) => member.email === email)) {
    throw invalidFields([fault("/email", faults.known_member())]);
  }
  await countInvitation(app, tenantId, email);
  const { token, tokenHash } = generateLinkToken();
  const id = newId();
  const mailed = await inTenant(app.db, tenantId, async (tx) => {
    await requireOwnerLocked(tx, actor);
    if ((await countMembers(tx, tenantId, email)) >= maxMembers) throw appError("member_limit");
    await replaceInvitation(tx, { id, tenantId, email, role, siteRoles, tokenHash, invitedBy, validDays });
    await recordAuditEvent(tx, actor, "member.invited", { subjectId: id, details });
    const { tenantName } = (await invitationByToken(tx, tokenHash))!;
    // The token is in the fragment, which browsers send to no server.
    const link = `${publicBase(app.config, "")}/invitation#${mailedToken(app, token)}`;
    return queueEmail(app, tx, invitationEmail({ email, tenantName, role, link, validDays }));
  });
  return { invitationId: id, email, role, siteRoles, token, mailed };
}

async function countInvitation(app: App, tenantId: string, email: string): Promise<void> {
  const again = `This address was invited ${invitationLimit.quota} times within an hour. Invite it again later.`;
  await enforceLimit(app, invitationLimit, `${tenantId} ${email}`, again);
  const many = `${invitationsLimit.quota} people were invited within a day. Invite the others later.`;
  await enforceLimit(app, invitationsLimit, tenantId, many);
  if (!sendsMail(app) || (await isProvenTenant(app.db, tenantId))) return;
  const few =
    `${unprovenInvitationsLimit.quota} people were invited by e-mail within a day. Invite the others later. ` +
    "More are possible once an owner's address is verified and 100 readers got a campaign.";
  await enforceLimit(app, unprovenInvitationsLimit, tenantId, few);
}

/** Withdraws an invitation, so that its link stops working. Throws `not_found`. */
export async function deleteInvitation(app: App, actor: Actor, input: { invitationId: string }): Promise<void> {
  const { invitationId } = input;
  await inTenant(app.db, actor.tenantId, async (tx) => {
    if (!isId(invitationId) || !(await deleteInvitationRow(tx, actor.tenantId, invitationId))) {
      throw appError("not_found", { message: "This invitation is taken already, or was withdrawn." });
    }
    await recordAuditEvent(tx, actor, "invitation.withdrawn", { subjectId: invitationId });
  });
}
