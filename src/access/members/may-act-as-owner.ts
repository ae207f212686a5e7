import type { Actor } from "../../actor.ts";
import type { Executor } from "../../db/pool.ts";
import { roleInTenant } from "./queries.ts";

/** Returns whether an actor is an owner, or no member at all: API keys and the operator have no role. */
export async function mayActAsOwner(on: Executor, actor: Actor): Promise<boolean> {
  return actor.kind !== "user" || (await roleInTenant(on, actor.userId, actor.tenantId)) === "owner";
}
