import type { Database } from "../../db/pool.ts";
import type { SecretBox } from "../../secret-box.ts";
import { vapidOfSite } from "../../tenants/vapid/queries.ts";
import { openVapidKey } from "../../tenants/vapid/vapid-pair.ts";
import { createVapidSigner, type VapidSigner } from "./vapid.ts";

/**
 * Returns a function that gives the VAPID signer of a site. It creates one signer per key pair, because opening a
 * sealed key is too slow for each message. `publicKey`: the site's key at the claim, because a site without
 * subscribers may get another pair. `subject`: VAPID_SUBJECT; if undefined, the e-mail address of the tenant's owner
 * is the subject. The function throws if the site no longer exists.
 */
export function createSignerCache(db: Database, secrets: SecretBox, subject: string | undefined) {
  const signers = new Map<string, { publicKey: Buffer; signer: VapidSigner }>();
  return async (siteId: string, publicKey: Buffer): Promise<VapidSigner> => {
    const cached = signers.get(siteId);
    if (cached?.publicKey.equals(publicKey)) return cached.signer;
    const vapid = await vapidOfSite(db, siteId);
    if (vapid === undefined) throw new Error(`site ${siteId} no longer exists`);
    const signer = createVapidSigner({
      publicKey: vapid.publicKey,
      privateKey: openVapidKey(secrets, siteId, vapid.privateKeySealed),
      subject: subject ?? `mailto:${vapid.ownerEmail}`,
      clock: Date.now,
    });
    signers.set(siteId, { publicKey: vapid.publicKey, signer });
    return signer;
  };
}
