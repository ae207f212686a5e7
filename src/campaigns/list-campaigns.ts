import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant } from "../db/pool.ts";
import { invalidFields } from "../errors.ts";
import { cutPage, idCursor, pageLimit, parseInput, uuid } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { type CampaignView, viewCampaign } from "./campaign.ts";
import { campaignsOfTenant } from "./queries.ts";
import { type CampaignStatus, shownMoves } from "./states.ts";

const statuses = Object.keys(shownMoves) as CampaignStatus[];

/** A query parameter comes as text; one that is given twice comes as a list, and is no text. */
const listInput = z.strictObject({
  status: z.enum(statuses, `must be one of ${statuses.join(", ")}`).optional(),
  siteId: uuid.optional(),
  externalId: z
    .string("must be given once")
    .min(1, "must not be empty")
    .max(200, "must have at most 200 characters")
    .optional(),
  limit: pageLimit,
  cursor: idCursor,
});

export type CampaignPage = { data: CampaignView[]; nextCursor: string | null };

/**
 * The tenant's campaigns, newest first, by the status that they show, by site or by the caller's own id. `query`: the
 * parameters as they came; `search`: a part of the title or the address. The cursor is the last id of a page, so that campaigns made meanwhile shift nothing.
 * Throws `validation_failed`.
 */
export async function listCampaigns(
  app: App,
  actor: Actor,
  input: { query: unknown; search?: string | undefined },
): Promise<CampaignPage> {
  const { limit, cursor, ...filter } = parseInput(listInput, input.query);
  const found = await inTenant(app.db, actor.tenantId, async (tx) => {
    if (filter.siteId !== undefined && (await siteOfTenant(tx, actor.tenantId, filter.siteId)) === undefined) {
      throw invalidFields([{ path: "/siteId", message: "is no site of this tenant" }]);
    }
    return campaignsOfTenant(tx, actor.tenantId, { ...filter, search: input.search, after: cursor, limit: limit + 1 });
  });
  const { page, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { data: page.map((record) => viewCampaign(record)), nextCursor };
}
