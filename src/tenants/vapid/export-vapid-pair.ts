import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { siteOfTenant } from "../sites/queries.ts";
import { vapidOfSite } from "./queries.ts";
import { type VapidFile, writeVapidFile } from "./vapid-file.ts";
import { openVapidKey } from "./vapid-pair.ts";

/**
 * Exports the VAPID key pair of a site of the actor's tenant, for another push service. Whoever has the pair and the
 * list of subscribers can send to them, so the audit event commits before the pair is returned. Throws `not_found`.
 */
export async function exportVapidPair(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<VapidFile> {
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const site = isId(siteId) ? await siteOfTenant(tx, actor.tenantId, siteId) : undefined;
    if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
    const { publicKey, privateKeySealed } = (await vapidOfSite(tx, site.id))!;
    await recordAuditEvent(tx, actor, "vapid.exported", { siteId: site.id });
    return writeVapidFile({ publicKey, privateKey: openVapidKey(app.secrets, site.id, privateKeySealed) });
  });
}
