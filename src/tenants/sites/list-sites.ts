import { z } from "zod";
import { type Actor, limitedTo } from "../../actor.ts";
import type { App } from "../../app.ts";
import { cutPage, idCursor, pageLimit, parseInput } from "../../input.ts";
import { type ListedSite, sitesOfTenant } from "./list-queries.ts";

const listInput = z.strictObject({ limit: pageLimit, cursor: idCursor });

/** A site with its topics. `vapidPublicKey`: base64url, for the browser's subscription. */
export type SiteView = Omit<ListedSite, "vapidPublicKey" | "createdAt"> & { vapidPublicKey: string; createdAt: string };

export type SitePage = { data: SiteView[]; nextCursor: string | null };

/**
 * Lists the sites of the actor's tenant that the actor sees, with their topics, oldest first. A CMS needs their
 * siteId and topicIds. `query`: the raw query parameters. The cursor is the id of a page's last site. Throws
 * `validation_failed`.
 */
export async function listSites(app: App, actor: Actor, input: { query: unknown }): Promise<SitePage> {
  const { limit, cursor } = parseInput(listInput, input.query);
  const found = await sitesOfTenant(app.db, actor.tenantId, {
    after: cursor,
    limit: limit + 1,
    siteIds: limitedTo(actor),
  });
  const { page, nextCursor } = cutPage(found, limit, ({ siteId }) => siteId);
  return { data: page.map(viewSite), nextCursor };
}

function viewSite(site: ListedSite): SiteView {
  return {
    ...site,
    vapidPublicKey: site.vapidPublicKey.toString("base64url"),
    createdAt: site.createdAt.toISOString(),
  };
}
