import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant } from "../db/database.ts";
import { appError, invalidFields } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import { addTopic } from "../tenants/add-topic.ts";
import { changeSite } from "../tenants/change-site.ts";
import { changeTenant } from "../tenants/change-tenant.ts";
import { createSite } from "../tenants/create-site.ts";
import type { Site, SiteChange, SiteLimits } from "../tenants/site.ts";
import { findSite } from "./audience.ts";
import { stateOfTenant } from "./queries.ts";

const jsonObject = z.record(z.string(), z.unknown(), "must be a JSON object");
const topicInput = z.strictObject({ name: z.string(expects("a string")) }, expects("a JSON object"));
const siteInput = z.strictObject(
  { name: z.string(expects("a string")), url: z.string(expects("a string")) },
  expects("a JSON object"),
);
const tenantInput = z.strictObject(
  {
    paused: z.boolean("must be true or false").optional(),
    dpaAccepted: z.literal(true, "can only be accepted here").optional(),
  },
  expects("a JSON object"),
);

export type SiteSettings = SiteLimits & { siteId: string; name: string; url: string; paused: boolean };

/** A site of the actor's tenant with the limits of its decision. Throws `not_found`. */
export async function readSite(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<SiteSettings> {
  return viewSite(await findSite(app, actor, siteId));
}

/** Changes what `body` names; null takes a limit away. Throws `validation_failed` and `not_found`. */
export async function changeSiteSettings(
  app: App,
  actor: Actor,
  input: { siteId: string; body: unknown },
): Promise<SiteSettings> {
  await findSite(app, actor, input.siteId);
  const parsed = jsonObject.safeParse(input.body);
  if (!parsed.success) throw invalidFields([{ path: "", message: "must be a JSON object" }]);
  return viewSite(await changeSite(app, actor, { ...(parsed.data as SiteChange), siteId: input.siteId }));
}

function viewSite(site: Site): SiteSettings {
  const { id: siteId, name, url, timeZone, freshnessHours, dailyCap, minGapMinutes, quietHours } = site;
  const limits = { timeZone, freshnessHours, dailyCap, minGapMinutes, quietHours };
  return { siteId, name, url, ...limits, paused: site.pausedAt !== null };
}

/** Adds a topic from `{ name }`. Throws `validation_failed` and `not_found`. */
export async function addSiteTopic(
  app: App,
  actor: Actor,
  input: { siteId: string; body: unknown },
): Promise<{ topicId: string }> {
  await findSite(app, actor, input.siteId);
  const { name } = parseInput(topicInput, input.body);
  return addTopic(app, actor, { siteId: input.siteId, name });
}

/** Adds a site from `{ name, url }`. Throws `validation_failed`. */
export async function addSite(app: App, actor: Actor, input: { body: unknown }): Promise<{ siteId: string }> {
  const wanted = parseInput(siteInput, input.body);
  const { siteId } = await inTenant(app.db, actor.tenantId, (tx) => createSite(app, actor, tx, wanted));
  return { siteId };
}

export type TenantSettings = { name: string; plan: string; paused: boolean; dpaAcceptedAt: string | null };

export async function readTenant(app: App, actor: Actor): Promise<TenantSettings> {
  const state = await stateOfTenant(app.db, actor.tenantId);
  if (state === undefined) throw appError("not_found");
  return { ...state, dpaAcceptedAt: state.dpaAcceptedAt?.toISOString() ?? null };
}

/** Pauses and resumes all sends, and accepts the data processing agreement. Throws `validation_failed`. */
export async function changeTenantSettings(app: App, actor: Actor, input: { body: unknown }): Promise<TenantSettings> {
  await changeTenant(app, actor, definedOf(parseInput(tenantInput, input.body)));
  return readTenant(app, actor);
}

function definedOf({ paused, dpaAccepted }: z.output<typeof tenantInput>): { paused?: boolean; dpaAccepted?: boolean } {
  return { ...(paused === undefined ? {} : { paused }), ...(dpaAccepted === undefined ? {} : { dpaAccepted }) };
}
