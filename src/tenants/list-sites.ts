import { sql } from "kysely";
import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { rows } from "../db/pool.ts";
import { parseInput } from "../input.ts";

const defaultLimit = 50;

const listInput = z.strictObject({
  limit: z
    .string("must be given once")
    .regex(/^(100|[1-9]\d?)$/, "must be a whole number from 1 to 100")
    .transform(Number)
    .default(defaultLimit),
  cursor: z.uuid("must be the nextCursor of an earlier page").optional(),
});

/** A site with the topics that its readers can choose. `vapidPublicKey`: base64url, for the browser's subscription. */
export type SiteView = {
  siteId: string;
  tenantId: string;
  name: string;
  url: string;
  timeZone: string;
  paused: boolean;
  vapidPublicKey: string;
  topics: { topicId: string; name: string }[];
  createdAt: string;
};

export type SitePage = { data: SiteView[]; nextCursor: string | null };

/**
 * The tenant's sites with their topics, the oldest first: what a CMS needs to name a siteId and topicIds. `query`: the
 * parameters as they came. The cursor is the last id of a page. Throws `validation_failed`.
 */
export async function listSites(app: App, actor: Actor, input: { query: unknown }): Promise<SitePage> {
  const { limit, cursor } = parseInput(listInput, input.query);
  const found = await rows(
    sql<SiteRow>`select s.id as "siteId", s.tenant_id as "tenantId", s.name, s.url, s.time_zone as "timeZone",
        s.paused_at is not null as paused, s.vapid_public_key as "vapidPublicKey", s.created_at as "createdAt",
        (select coalesce(json_agg(json_build_object('topicId', t.id, 'name', t.name) order by t.name, t.id), '[]')
          from topics t where t.site_id = s.id and t.retired_at is null) as topics
      from sites s where s.tenant_id = ${actor.tenantId} and s.removed_at is null
        and (${cursor ?? null}::uuid is null or s.id > ${cursor ?? null})
      order by s.id limit ${limit + 1}`,
    app.db,
  );
  const data = found.slice(0, limit).map(viewSite);
  return { data, nextCursor: found.length > limit ? data.at(-1)!.siteId : null };
}

type SiteRow = Omit<SiteView, "vapidPublicKey" | "createdAt"> & { vapidPublicKey: Buffer; createdAt: Date };

function viewSite(site: SiteRow): SiteView {
  return {
    ...site,
    vapidPublicKey: site.vapidPublicKey.toString("base64url"),
    createdAt: site.createdAt.toISOString(),
  };
}
