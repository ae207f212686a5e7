import type { Actor } from "../../actor.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { countOwnersLocked, roleInTenant } from "./queries.ts";

/**
 * Locks the tenant until the transaction ends. Throws `forbidden` if the member is no owner of the tenant any more.
 * The removal of an owner deletes what they gave out, so nothing more may be stored after it.
 */
export async function requireOwnerLocked(tx: Tx, actor: Actor): Promise<void> {
  await countOwnersLocked(tx, actor.tenantId);
  if (actor.kind !== "user") return;
  if ((await roleInTenant(tx, actor.userId, actor.tenantId)) !== "owner") throw appError("forbidden");
}
