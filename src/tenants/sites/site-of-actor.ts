import type { Actor } from "../../actor.ts";
import type { Executor } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { siteOfTenant } from "./queries.ts";
import type { Site } from "./site.ts";

/** Returns a site of the actor's tenant. Throws `not_found`. */
export async function siteOfActor(on: Executor, { tenantId }: Pick<Actor, "tenantId">, siteId: string): Promise<Site> {
  const site = isId(siteId) ? await siteOfTenant(on, tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: "There is no such site in this tenant." });
  return site;
}
