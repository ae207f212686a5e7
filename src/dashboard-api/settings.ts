import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import type { Site, SiteChange, SiteLimits } from "../tenants/sites/site.ts";
import { changeSite, createSite } from "../tenants/sites/sites.ts";
import { agreementVersion, confirmAbove } from "../tenants/tenant.ts";
import { changeTenant } from "../tenants/tenants.ts";
import { addTopic } from "../tenants/topics/topics.ts";
import { findSite } from "./audience.ts";
import { stateOfTenant, usageOfMonth } from "./queries.ts";

const jsonObject = z.record(z.string(), z.unknown(), "must be a JSON object");
const topicInput = z.strictObject({ name: z.string(expects("a string")) }, expects("a JSON object"));
const siteInput = z.strictObject(
  { name: z.string(expects("a string")), url: z.string(expects("a string")) },
  expects("a JSON object"),
);
const tenantInput = z.strictObject(
  {
    name: z.string(expects("a string")).optional(),
    paused: z.boolean("must be true or false").optional(),
    confirmAbove: confirmAbove.optional(),
    dpaAccepted: z.literal(true, "can only be accepted here").optional(),
  },
  expects("a JSON object"),
);

export type SiteSettings = SiteLimits &
  Pick<Site, "name" | "url" | "origins" | "onUncertain"> & { siteId: string; paused: boolean };

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
  const { id: siteId, name, url, origins, onUncertain, timeZone, freshnessHours, dailyCap, minGapMinutes } = site;
  const limits = { timeZone, freshnessHours, dailyCap, minGapMinutes, quietHours: site.quietHours };
  return { siteId, name, url, origins, onUncertain, ...limits, paused: site.pausedAt !== null };
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

/** The agreement: the text that holds now, and which one was accepted when and by whom. */
export type AgreementState = { version: string; acceptedVersion: string | null; acceptedBy: string | null };

/** What a plan allows (null: as much as one likes), and what was used of it this month, by the clocks of UTC. */
export type PlanUsage = {
  plan: string;
  audienceCap: number | null;
  month: { sends: number; accepted: number; largestAudience: number };
};

export type TenantSettings = {
  name: string;
  paused: boolean;
  confirmAbove: number | null;
  /** How many may send: a second person has to be there. */
  senders: number;
  dpaAcceptedAt: string | null;
  agreement: AgreementState;
  usage: PlanUsage;
};

export async function readTenant(app: App, actor: Actor): Promise<TenantSettings> {
  const state = await stateOfTenant(app.db, actor.tenantId);
  if (state === undefined) throw appError("not_found");
  const { name, plan, paused, confirmAbove, senders, dpaAcceptedAt, dpaVersion, dpaAcceptedBy } = state;
  return {
    ...{ name, paused, confirmAbove, senders },
    dpaAcceptedAt: dpaAcceptedAt?.toISOString() ?? null,
    agreement: { version: agreementVersion, acceptedVersion: dpaVersion, acceptedBy: dpaAcceptedBy },
    usage: {
      plan,
      audienceCap: app.config.PLANS[plan]?.audienceCap ?? null,
      month: await usageOfMonth(app.db, actor.tenantId),
    },
  };
}

/** Renames the tenant, pauses and resumes all sends, accepts the agreement. Throws `validation_failed`. */
export async function changeTenantSettings(app: App, actor: Actor, input: { body: unknown }): Promise<TenantSettings> {
  const change = readTenantChange(input.body);
  await changeTenant(app, actor, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
  return readTenant(app, actor);
}

/** Elsewhere null is the same as absent; here it takes the number of people away. */
function readTenantChange(body: unknown): z.output<typeof tenantInput> {
  const change = parseInput(tenantInput, body);
  return (body as { confirmAbove?: unknown }).confirmAbove === null ? { ...change, confirmAbove: null } : change;
}
