import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Executor } from "../db/pool.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { insertSite } from "./queries.ts";
import { newSite } from "./site.ts";
import { generateVapidPair, sealVapidKey } from "./vapid-pair.ts";

/**
 * Makes a site of the actor's tenant with a new VAPID pair, or with `vapidPair`: the text of a file that holds another
 * service's. Returns its id and the public key, base64url. Throws `validation_failed` with all faults at once.
 */
export async function createSite(
  app: App,
  actor: Actor,
  on: Executor,
  input: { name: string; url: string; vapidPair?: string | undefined },
): Promise<{ siteId: string; vapidPublicKey: string }> {
  const { name, url, vapidPair } = parseInput(newSite, input);
  const siteId = newId();
  const pair = vapidPair ?? generateVapidPair();
  await insertSite(on, {
    id: siteId,
    tenantId: actor.tenantId,
    name,
    url,
    vapidPublicKey: pair.publicKey,
    vapidPrivateKeySealed: sealVapidKey(app.secrets, siteId, pair.privateKey),
  });
  await recordAuditEvent(on, actor, "site.added", { siteId, details: { name, url } });
  if (vapidPair !== undefined) await recordAuditEvent(on, actor, "vapid.imported", { siteId });
  return { siteId, vapidPublicKey: pair.publicKey.toString("base64url") };
}
