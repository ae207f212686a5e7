import type { Database } from "../../db/pool.ts";
import type { SecretBox } from "../../secret-box.ts";
import { vapidOfSite } from "../../tenants/vapid/queries.ts";
import { openVapidKey } from "../../tenants/vapid/vapid-pair.ts";
import { createVapidSigner, type VapidSigner } from "./vapid.ts";

/**
 * The VAPID signer of a site, made once for a pair: opening a sealed key and signing have no place on the path of a
 * message. `publicKey`: the site's at the claim; a site without subscribers may have been given another pair since the
 * last one. `subject`: VAPID_SUBJECT, or undefined for the address of the tenant's owner.
 */
export function createSignerCache(db: Database, secrets: SecretBox, subject: string | undefined) {
  const signers = new Map<string, { publicKey: Buffer; signer: VapidSigner }>();
  return async (siteId: string, publicKey: Buffer): Promise<VapidSigner> => {
    const cached = signers.get(siteId);
    if (cached?.publicKey.equals(publicKey)) return cached.signer;
    const vapid = await vapidOfSite(db, siteId);
    if (vapid === undefined) throw new Error(`site ${siteId} is gone`);
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
