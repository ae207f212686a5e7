import type { Database } from "../db/database.ts";
import type { SecretBox } from "../secret-box.ts";
import { vapidOfSite } from "../tenants/queries.ts";
import { openVapidKey } from "../tenants/vapid-pair.ts";
import { createVapidSigner, type VapidSigner } from "./vapid.ts";

/**
 * The VAPID signer of a site, made once: opening a sealed key and signing have no place on the path of a message.
 * `subject`: VAPID_SUBJECT, or undefined for the address of the tenant's owner.
 */
export function createSignerCache(db: Database, secrets: SecretBox, subject: string | undefined) {
  const signers = new Map<string, VapidSigner>();
  return async (siteId: string): Promise<VapidSigner> => {
    const cached = signers.get(siteId);
    if (cached !== undefined) return cached;
    const vapid = await vapidOfSite(db, siteId);
    if (vapid === undefined) throw new Error(`site ${siteId} is gone`);
    const signer = createVapidSigner({
      publicKey: vapid.publicKey,
      privateKey: openVapidKey(secrets, siteId, vapid.privateKeySealed),
      subject: subject ?? `mailto:${vapid.ownerEmail}`,
      clock: Date.now,
    });
    signers.set(siteId, signer);
    return signer;
  };
}
