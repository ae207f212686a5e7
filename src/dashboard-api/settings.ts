import { z } from "zod";
import { maySignInStrongly } from "../access/accounts/queries.ts";
import { mayActAsOwner } from "../access/members/may-act-as-owner.ts";
import type { Actor, Member } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { expects, flag, parseInput } from "../input.ts";
import { changeSiteAndSchedules } from "../sends/change-site.ts";
import { confirmAboveOf } from "../sends/second-person.ts";
import { type ClassRules, classRulesOf } from "../tenants/sites/campaign-classes.ts";
import { type Prompt, promptOf, type ReaderSettings, readerSettingsOf } from "../tenants/sites/reader-settings.ts";
import type { Site, SiteChange, SiteLimits } from "../tenants/sites/site.ts";
import { createSite } from "../tenants/sites/sites.ts";
import { agreementVersion, confirmAbove } from "../tenants/tenant.ts";
import { changeTenant } from "../tenants/tenants.ts";
import { addTopic } from "../tenants/topics/topics.ts";
import { findSite } from "./audience.ts";
import { stateOfTenant, usageOfMonth } from "./queries.ts";

const jsonObject = z.record(z.string(), z.unknown(), zodText(faults.wrong_type({ type: "a JSON object" })));
const topicInput = z.strictObject({ name: z.string(expects("a string")) }, expects("a JSON object"));
const siteInput = z.strictObject(
  { name: z.string(expects("a string")), url: z.string(expects("a string")) },
  expects("a JSON object"),
);
const tenantInput = z.strictObject(
  {
    name: z.string(expects("a string")).optional(),
    paused: flag.optional(),
    confirmAbove: confirmAbove.optional(),
    requiresSecondFactor: flag.optional(),
    dpaAccepted: z.literal(true, "can only be accepted here").optional(),
  },
  expects("a JSON object"),
);

export type SiteSettings = SiteLimits &
  Pick<Site, "name" | "url" | "origins" | "onUncertain"> & {
    siteId: string;
    paused: boolean;
    classes: ClassRules;
    /** A send to more readers than this needs a second person, by the settings of the tenant. Null if no send does. */
    confirmAbove: number | null;
  };

/** Reads a site of the actor's tenant with the limits of its decision. Throws `not_found`. */
export async function readSite(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<SiteSettings> {
  return viewSite(app, await findSite(app, actor, siteId));
}

/**
 * Changes the settings that `body` names. Null removes a limit. Throws `validation_failed`, `not_found`, and
 * `forbidden` for an editor who declares facts.
 */
export async function changeSiteSettings(
  app: App,
  actor: Actor,
  input: { siteId: string; body: unknown },
): Promise<SiteSettings> {
  await findSite(app, actor, input.siteId);
  const parsed = jsonObject.safeParse(input.body);
  if (!parsed.success) throw invalidFields([fault("", faults.wrong_type({ type: "a JSON object" }))]);
  if ("facts" in parsed.data && !(await mayActAsOwner(app.db, actor))) {
    const message = "What pages may say of readers is for owners to decide. Ask an owner to declare it.";
    throw appError("forbidden", { message });
  }
  const change = { ...(parsed.data as SiteChange), siteId: input.siteId };
  return viewSite(app, await changeSiteAndSchedules(app, actor, change));
}

async function viewSite(app: App, site: Site): Promise<SiteSettings> {
  const { id: siteId, name, url, origins, onUncertain, timeZone, freshnessHours, dailyLimit, minGapMinutes } = site;
  const { quietHours, undatedStories } = site;
  const limits = { timeZone, freshnessHours, dailyLimit, minGapMinutes, quietHours, undatedStories };
  const classes = classRulesOf(site.classes);
  const ofTenant = { confirmAbove: await confirmAboveOf(app.db, site.tenantId) };
  const paused = site.pausedAt !== null;
  return { siteId, name, url, origins, onUncertain, ...limits, classes, paused, ...ofTenant };
}

/** A site's settings for readers. `prompt`: the site's own values; `usualPrompt`: the defaults for the others. */
export type ReaderSettingsView = ReaderSettings &
  Pick<Site, "onUncertain" | "screenGoalSeconds"> & { usualPrompt: Prompt };

/** Reads the settings for readers of a site of the actor's tenant. Throws `not_found`. */
export async function readReaderSettings(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<ReaderSettingsView> {
  const site = await findSite(app, actor, siteId);
  return {
    ...readerSettingsOf(site),
    onUncertain: site.onUncertain,
    screenGoalSeconds: site.screenGoalSeconds,
    usualPrompt: promptOf({}),
  };
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

/** The data processing agreement: its current version, the version that was accepted, and who accepted it. */
export type AgreementState = { version: string; acceptedVersion: string | null; acceptedBy: string | null };

/** The limits of a plan (null for no limit) and the usage of this month (UTC). */
export type PlanUsage = {
  plan: string;
  audienceCap: number | null;
  month: { sends: number; accepted: number; largestAudience: number };
};

export type TenantSettings = {
  name: string;
  paused: boolean;
  confirmAbove: number | null;
  requiresSecondFactor: boolean;
  /**
   * The number of members who may send, at the site with the fewest. With fewer than two, nobody else can approve a
   * send there.
   */
  senders: number;
  dpaAcceptedAt: string | null;
  agreement: AgreementState;
  usage: PlanUsage;
};

/** Reads the settings of the actor's tenant. Throws `not_found`. */
export async function readTenant(app: App, actor: Actor): Promise<TenantSettings> {
  const state = await stateOfTenant(app.db, actor.tenantId);
  if (state === undefined) throw appError("not_found");
  const { name, plan, paused, confirmAbove, requiresSecondFactor, senders } = state;
  const { dpaAcceptedAt, dpaVersion, dpaAcceptedBy } = state;
  return {
    name,
    paused,
    confirmAbove,
    requiresSecondFactor,
    senders,
    dpaAcceptedAt: dpaAcceptedAt?.toISOString() ?? null,
    agreement: { version: agreementVersion, acceptedVersion: dpaVersion, acceptedBy: dpaAcceptedBy },
    usage: {
      plan,
      audienceCap: app.config.PLANS[plan]?.audienceCap ?? null,
      month: await usageOfMonth(app.db, actor.tenantId),
    },
  };
}

/**
 * Changes the tenant's settings: its name, the pause, the approval limit, the second factor, the agreement. Throws
 * `validation_failed`, and `second_factor_required` if the member who requires a second factor has none.
 */
export async function changeTenantSettings(app: App, actor: Member, input: { body: unknown }): Promise<TenantSettings> {
  const change = readTenantChange(input.body);
  // Without this check, the member would lock themselves out.
  if (change.requiresSecondFactor && !(await maySignInStrongly(app.db, actor.userId))) {
    throw appError("second_factor_required");
  }
  await changeTenant(app, actor, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
  return readTenant(app, actor);
}

/**
 * Reads a change of the tenant. `parseInput` treats null as absent, but `confirmAbove` keeps null, which removes the
 * limit.
 */
function readTenantChange(body: unknown): z.output<typeof tenantInput> {
  const change = parseInput(tenantInput, body);
  return (body as { confirmAbove?: unknown }).confirmAbove === null ? { ...change, confirmAbove: null } : change;
}
