import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { expects, parseInput } from "../input.ts";
import { siteLocked } from "../tenants/sites/queries.ts";
import type { Site } from "../tenants/sites/site.ts";
import { updateVapidPair } from "../tenants/vapid/queries.ts";
import { vapidText } from "../tenants/vapid/vapid-file.ts";
import { sealVapidKey } from "../tenants/vapid/vapid-pair.ts";
import { hasSubscribers } from "./queries.ts";

const pairInput = z.strictObject({ vapidPair: vapidText }, expects("a JSON object"));

const lockNotAvailable = "55P03";

/**
 * Replaces the VAPID key pair of a site of the actor's tenant with the pair that its readers subscribed to at another
 * push service. `body`: `vapidPair`, the text of a file with the pair. Refuses once the site has a subscriber, because
 * subscribers belong to the pair that they subscribed to. Returns the public key, base64url. Throws `not_found`,
 * `validation_failed` and `has_subscribers`.
 */
export async function importVapidPair(
  app: App,
  actor: Actor,
  { siteId, body }: { siteId: string; body: unknown },
): Promise<{ siteId: string; vapidPublicKey: string }> {
  const { publicKey, privateKey } = parseInput(pairInput, body).vapidPair;
  await inTenant(app.db, actor.tenantId, async (tx) => {
    const site = isId(siteId) ? await lockSite(tx, actor, siteId) : undefined;
    if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
    // A separate statement after the lock, so that it sees what an import committed while this transaction waited.
    if (await hasSubscribers(tx, site.id)) throw appError("has_subscribers");
    await updateVapidPair(tx, site.id, {
      publicKey,
      privateKeySealed: sealVapidKey(app.secrets, site.id, privateKey),
    });
    await recordAuditEvent(tx, actor, "vapid.imported", { siteId: site.id });
  });
  return { siteId, vapidPublicKey: publicKey.toString("base64url") };
}

async function lockSite(tx: Tx, actor: Actor, siteId: string): Promise<Site | undefined> {
  try {
    return await siteLocked(tx, actor.tenantId, siteId);
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
    throw appError("has_subscribers", {
      message: "Subscribers are being added to this site just now. Look at its subscribers, then try again.",
    });
  }
}
