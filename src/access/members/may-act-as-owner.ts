import type { Actor } from "../../actor.ts";
import type { Executor } from "../../db/pool.ts";
import { roleInTenant } from "./queries.ts";

/** Whether an actor is an owner, or no member: keys and the operator act without a role. */
export async function mayActAsOwner(on: Executor, actor: Actor): Promise<boolean> {
  return actor.kind !== "user" || (await roleInTenant(on, actor.userId, actor.tenantId)) === "owner";
}
