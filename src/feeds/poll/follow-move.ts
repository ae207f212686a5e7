import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { Tx } from "../../db/pool.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import type { FeedRecord } from "../feed.ts";
import { hostOfSite, leadsTo } from "../web-address.ts";
import { updateAddress } from "./queries.ts";

/**
 * Gives a feed the address to which its server has moved it for good (301, 308). Its items stay known. The new host
 * must be the feed's own or one to which its items may lead, because only members decide which hosts a feed is trusted
 * with. Each poll follows a redirect to another host, but the feed keeps its address. Does nothing if the site already
 * has a feed at the new address.
 */
export async function followMove(app: App, tx: Tx, feed: FeedRecord, movedTo: string): Promise<void> {
  const { id, tenantId, siteId, url } = feed;
  if (movedTo === url || !(await isTrusted(tx, feed, movedTo))) return;
  if (!(await updateAddress(tx, id, movedTo))) return;
  app.log.info({ feedId: id }, "a feed has moved for good, and its new address is used");
  const details = { url, change: { url: movedTo } };
  await recordAuditEvent(tx, { kind: "feed", tenantId, feedId: id }, "feed.changed", {
    siteId,
    subjectId: id,
    details,
  });
}

async function isTrusted(tx: Tx, feed: FeedRecord, address: string): Promise<boolean> {
  if (new URL(feed.url).host === new URL(address).host) return true;
  const site = await siteOfTenant(tx, feed.tenantId, feed.siteId);
  return site !== undefined && leadsTo(address, [hostOfSite(site.url), ...feed.allowedHosts]);
}
