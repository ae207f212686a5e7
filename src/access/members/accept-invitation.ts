import { z } from "zod";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { countFailure } from "../../rate-limits/count-requests.ts";
import { recordRefusedSignIn } from "../accounts/account-events.ts";
import { createUser } from "../accounts/create-user.ts";
import { hashLinkToken, linkToken, longEnoughPassword, newPassword } from "../accounts/credentials.ts";
import { readLinkToken } from "../accounts/mailed-token.ts";
import { personName } from "../accounts/own-name.ts";
import { userByEmail, verifyEmail } from "../accounts/queries.ts";
import type { Caller, Sessions } from "../accounts/sessions.ts";
import { countSignIn } from "../accounts/sign-in.ts";
import type { Role, SiteRole } from "../roles.ts";
import {
  deleteInvitationRow,
  type InvitationRecord,
  insertMember,
  invitationByToken,
  replaceSiteRoles,
  roleInTenant,
} from "./queries.ts";
import { detailsOfRoles, nameSiteRoles } from "./wanted-roles.ts";

const readInput = z.strictObject({ token: linkToken }, expects("a JSON object"));
const acceptInput = z.strictObject(
  { token: linkToken, password: longEnoughPassword, name: personName.optional() },
  expects("a JSON object"),
);
const firstPassword = z.object({ password: newPassword });

/**
 * An invitation as the holder of its link sees it. `sites`: the sites of roles for single sites. `hasAccount`: the
 * e-mail address already has an account.
 */
export type InvitationOffer = {
  tenantName: string;
  email: string;
  role: Role | null;
  sites: { name: string; role: SiteRole["role"] }[];
  hasAccount: boolean;
};

/**
 * Returns what the invitation of `{ token }` offers. Every call counts as a failure of the caller's address, because it
 * may be a guess. Throws `validation_failed`, `rate_limited` and `not_found`.
 */
export async function readInvitation(app: App, caller: Caller, input: { body: unknown }): Promise<InvitationOffer> {
  const { token } = parseInput(readInput, input.body);
  await countFailure(app, caller.address);
  return offerOf(app, token);
}

/**
 * Accepts an invitation with `{ token, password, name }`. The person becomes a member and is signed in. If they have
 * no account, one is created with `password` and, if given, `name`. If they have one, `password` must be its
 * password. Only the link in the e-mail verifies the person's address. The inviter sees the other link, and may have
 * invited any address. An invitation works once. Throws `validation_failed`, `not_found`, `rate_limited` and
 * `sign_in_failed`.
 */
export async function acceptInvitation(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ setCookies: string[] }> {
  const { token, password, name } = parseInput(acceptInput, input.body);
  const { email } = await findInvitation(app, token);
  const account = await userByEmail(app.db, email);
  if (account === undefined) parseInput(firstPassword, { password });
  const uncount = await countSignIn(app, caller.address, email);
  const signIn = () => sessions.signIn(caller, { email, password });
  // The holder of an existing account proves its password before anything changes.
  const existing = account && (await signIn());
  if (existing === null) {
    recordRefusedSignIn(app, email, "password");
    throw appError("sign_in_failed");
  }
  await joinTenant(app, { token, password, name, provenId: account?.id });
  await uncount();
  const session = existing ?? (await signIn());
  return { setCookies: session?.setCookies ?? [] };
}

/**
 * Makes the person of an invitation a member. `provenId`: the account whose password was given; undefined to create
 * one.
 */
async function joinTenant(
  app: App,
  input: { token: string; password: string; name: string | undefined; provenId: string | undefined },
): Promise<void> {
  const { password, name, provenId } = input;
  const { isMailed } = readLinkToken(app, input.token);
  const { id, tenantId, email, role, siteRoles } = await findInvitation(app, input.token);
  await inTenant(app.db, tenantId, async (tx) => {
    // If two requests come with the same token, only the one that deletes the row goes on.
    if (!(await deleteInvitationRow(tx, tenantId, id))) throw invitationNotFound();
    // Another invitation of this address may have created its account since. Then this password is not the account's.
    if ((await userByEmail(tx, email))?.id !== provenId) throw accountMade();
    const userId = provenId ?? (await createUser(tx, { email, password, name, emailVerified: isMailed }));
    if (userId === undefined) throw accountMade();
    if (isMailed) await verifyEmail(tx, userId);
    if ((await roleInTenant(tx, userId, tenantId)) !== undefined) return;
    await insertMember(tx, { id: newId(), tenantId, userId, role });
    await replaceSiteRoles(tx, { tenantId, userId }, siteRoles);
    await recordAuditEvent(tx, { kind: "user", tenantId, userId }, "member.joined", {
      subjectId: userId,
      details: detailsOfRoles(role, await nameSiteRoles(tx, tenantId, siteRoles)),
    });
  });
}

async function offerOf(app: App, token: string): Promise<InvitationOffer> {
  const { tenantId, tenantName, email, role, siteRoles } = await findInvitation(app, token);
  const named = await nameSiteRoles(app.db, tenantId, siteRoles);
  const sites = named.map((one) => ({ name: one.name, role: one.role }));
  return { tenantName, email, role, sites, hasAccount: (await userByEmail(app.db, email)) !== undefined };
}

async function findInvitation(app: App, token: string): Promise<InvitationRecord> {
  const found = await invitationByToken(app.db, hashLinkToken(readLinkToken(app, token).token));
  if (found === undefined) throw invitationNotFound();
  return found;
}

function accountMade() {
  const message = "Somebody made an account for this address just now. Accept again, with its password.";
  return appError("sign_in_failed", { message });
}

function invitationNotFound() {
  const message = "This invitation is taken, withdrawn or over 7 days old. Ask the sender for another one.";
  return appError("not_found", { message });
}
