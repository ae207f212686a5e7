import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import { topicIdsOfSite } from "../queries.ts";
import type { SubscriptionRules } from "../subscription.ts";

/** Returns the rules by which the subscriptions of a site of the actor's tenant are validated. Throws `not_found`. */
export async function rulesOfSite(app: App, actor: Actor, siteId: string): Promise<SubscriptionRules> {
  await expectSite(app, actor, siteId);
  return { pushServices: app.config.PUSH_SERVICES, topicIds: await topicIdsOfSite(app.db, siteId) };
}

/** Throws `not_found` if the actor's tenant has no such site. */
export async function expectSite(app: App, actor: Actor, siteId: string): Promise<void> {
  const site = isId(siteId) ? await siteOfTenant(app.db, actor.tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
}
