import { sql } from "kysely";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { maxSitesOfGroup } from "../campaigns/campaign-input.ts";
import { campaignsOfTenant } from "../campaigns/queries.ts";
import { type Executor, isDatabaseAway } from "../db/pool.ts";
import { AppError, appError, type ErrorCode } from "../errors.ts";
import { isId } from "../ids.ts";

/** Returns the campaigns of a group of the tenant, in the order of their creation; none for an unknown group. */
export async function campaignsOfGroup(on: Executor, tenantId: string, groupId: string): Promise<CampaignRecord[]> {
  const where = [sql`group_id = ${groupId}`];
  return (await campaignsOfTenant(on, tenantId, { where, limit: maxSitesOfGroup })).toReversed();
}

/** Returns the campaigns of a group. Throws `not_found`, even for an id of another tenant. */
export async function readCampaignsOf(app: App, actor: Actor, groupId: string): Promise<CampaignRecord[]> {
  const campaigns = isId(groupId) ? await campaignsOfGroup(app.db, actor.tenantId, groupId) : [];
  if (campaigns.length === 0) throw appError("not_found");
  return campaigns;
}

/** The result of an operation at a site, or the error that the operation throws for that site's campaign. */
export type AtSite<Result> = { siteId: string; campaignId: string; result: Result | null; error: SiteError | null };

/** The code and message of an error, with its further fields, as in the answer for a single campaign. */
export type SiteError = { code: ErrorCode; message: string; [detail: string]: unknown };

/**
 * Runs an operation on each campaign of a group, one after the other. If one is refused or fails, the others still run.
 * Throws `not_found`.
 */
export async function atEachSite<Result>(
  app: App,
  actor: Actor,
  groupId: string,
  operate: (campaign: CampaignRecord) => Promise<Result>,
): Promise<AtSite<Result>[]> {
  const done: AtSite<Result>[] = [];
  for (const campaign of await readCampaignsOf(app, actor, groupId)) {
    const { siteId, id: campaignId } = campaign;
    try {
      done.push({ siteId, campaignId, result: await operate(campaign), error: null });
    } catch (error) {
      done.push({ siteId, campaignId, result: null, error: viewError(app, error, campaignId) });
    }
  }
  return done;
}

function viewError(app: App, error: unknown, campaignId: string): SiteError {
  if (error instanceof AppError) return { code: error.code, message: error.message, ...error.details };
  const isAway = isDatabaseAway(error);
  if (!isAway) app.log.error({ err: error, campaignId }, "a campaign of a group failed");
  const { code, message } = appError(isAway ? "unavailable" : "internal");
  return { code, message };
}
