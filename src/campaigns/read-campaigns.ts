import { z } from "zod";
import { type Actor, limitedTo, seesSite } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { isId } from "../ids.ts";
import { cutPage, givenOnce, idCursor, oneOfMany, pageLimit, parseInput, uuid } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { type CampaignView, viewCampaign } from "./campaign.ts";
import { type CampaignFilter, campaignOfTenant, campaignsOfTenant } from "./queries.ts";
import { type CampaignStatus, shownMoves } from "./states.ts";

/** Returns the campaign with this id. Throws `not_found`, even for an id of another tenant. */
export async function readCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<CampaignView> {
  if (!isId(input.campaignId)) throw appError("not_found");
  const read = (tx: Tx) => campaignOfTenant(tx, actor.tenantId, input.campaignId);
  const record = await inTenant(app.db, actor.tenantId, read);
  if (record === undefined) throw appError("not_found");
  return viewCampaign(record);
}

const statuses = Object.keys(shownMoves) as CampaignStatus[];

/** The query parameters of a list. All are texts. A parameter that is given twice arrives as a list and is refused. */
export const listFields = {
  status: oneOfMany(statuses).optional(),
  siteId: uuid.optional(),
  externalId: givenOnce
    .min(1, zodText(faults.empty()))
    .max(200, zodText(faults.too_long({ most: 200 })))
    .optional(),
  limit: pageLimit,
  cursor: idCursor,
};
const listInput = z.strictObject(listFields);

/** The query of a list as a caller writes it. */
export type CampaignQuery = z.input<typeof listInput>;

export type CampaignPage = { data: CampaignView[]; nextCursor: string | null };

/**
 * Returns a page of the tenant's campaigns, newest first. `query`: the query parameters of the request. The cursor is
 * the last id of the previous page, so campaigns that are created meanwhile do not shift the pages. Throws
 * `validation_failed`.
 */
export async function listCampaigns(app: App, actor: Actor, input: { query: unknown }): Promise<CampaignPage> {
  const { limit, cursor, ...filter } = parseInput(listInput, input.query);
  return readCampaignPage(app, actor, { ...filter, after: cursor, limit });
}

/**
 * Returns the page of campaigns that match `filter` and that the actor sees. Throws `validation_failed` for a site
 * that the actor does not see.
 */
export async function readCampaignPage(app: App, actor: Actor, filter: CampaignFilter): Promise<CampaignPage> {
  const found = await inTenant(app.db, actor.tenantId, async (tx) => {
    const { siteId, limit } = filter;
    if (siteId !== undefined && !seesSite(actor, siteId)) throw unknownSite();
    if (siteId !== undefined && (await siteOfTenant(tx, actor.tenantId, siteId)) === undefined) throw unknownSite();
    return campaignsOfTenant(tx, actor.tenantId, { ...filter, siteIds: limitedTo(actor), limit: limit + 1 });
  });
  const { page, nextCursor } = cutPage(found, filter.limit, ({ id }) => id);
  return { data: page.map((record) => viewCampaign(record)), nextCursor };
}

export const unknownSite = () => invalidFields([fault("/siteId", faults.unknown_site())]);
