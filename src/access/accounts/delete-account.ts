import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { countOwnersLocked, membershipsOfUser, roleInTenant } from "../members/queries.ts";
import { recordAccountEvent } from "./account-events.ts";
import { requireSession } from "./own-sessions.ts";
import { deleteUser, lockUser, userByEmail } from "./queries.ts";
import type { Caller, Sessions } from "./sessions.ts";

/**
 * Deletes the account of the caller, with all memberships, sessions and drafts. The cookies of the answer end the
 * session in the browser. Throws `unauthenticated`, and `last_owner` for the only owner of a tenant.
 */
export async function deleteOwnAccount(
  app: App,
  sessions: Sessions,
  caller: Caller,
): Promise<{ setCookies: string[] }> {
  const { userId } = await requireSession(sessions, caller);
  await app.db.transaction().execute((tx) => deleteAccount(tx, userId, "user"));
  return sessions.signOut(caller);
}

/** Deletes the account with this address, for the operator. Throws `not_found`, and `last_owner` as above. */
export async function deleteAccountOf(app: App, email: string): Promise<{ email: string; deleted: true }> {
  await app.db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email.toLowerCase());
    if (user === undefined) throw appError("not_found", { message: `Nobody has the address ${email}.` });
    await deleteAccount(tx, user.id, "operator");
  });
  return { email: email.toLowerCase(), deleted: true };
}

async function deleteAccount(tx: Tx, userId: string, by: "user" | "operator"): Promise<void> {
  const checked = new Set<string>();
  await expectOtherOwners(tx, userId, checked);
  // The lock of the person comes after the locks of their tenants, as in a removal. From now on they can join no
  // other tenant.
  await lockUser(tx, userId);
  await expectOtherOwners(tx, userId, checked);
  await recordAccountEvent(tx, userId, { event: "account.deleted", by });
  await deleteUser(tx, userId);
}

/**
 * Locks the tenants of a person that are not in `checked`, and adds them to `checked`. Throws `last_owner` if a
 * tenant would be left without an owner.
 */
async function expectOtherOwners(tx: Tx, userId: string, checked: Set<string>): Promise<void> {
  const memberships = await membershipsOfUser(tx, userId);
  for (const { tenantId, name } of memberships.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))) {
    if (checked.has(tenantId)) continue;
    checked.add(tenantId);
    const owners = await countOwnersLocked(tx, tenantId);
    if (owners > 1 || (await roleInTenant(tx, userId, tenantId)) !== "owner") continue;
    const message = `${name} would be left without an owner. Make somebody else an owner first, or erase the publisher.`;
    throw appError("last_owner", { message });
  }
}
