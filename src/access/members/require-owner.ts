import type { Actor } from "../../actor.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { countOwnersLocked, roleInTenant } from "./queries.ts";

/**
 * Locks the tenant until the transaction ends. Throws `forbidden` for a member who is no owner of it any more: what an
 * owner gives must not be stored after their removal, which deletes it.
 */
export async function requireOwnerLocked(tx: Tx, actor: Actor): Promise<void> {
  await countOwnersLocked(tx, actor.tenantId);
  if (actor.kind !== "user") return;
  if ((await roleInTenant(tx, actor.userId, actor.tenantId)) !== "owner") throw appError("forbidden");
}
