import type { App } from "../app.ts";
import type { Executor } from "../db/database.ts";
import { newId } from "../ids.ts";
import { insertSite } from "./queries.ts";
import { siteName, siteUrl } from "./site.ts";
import { makeVapidPair, sealVapidKey } from "./vapid-pair.ts";

/** Makes a site with its VAPID pair. Returns its id and the public key, base64url. Throws a ZodError for bad input. */
export async function createSite(
  app: App,
  on: Executor,
  input: { tenantId: string; name: string; url: string },
): Promise<{ siteId: string; vapidPublicKey: string }> {
  const siteId = newId();
  const pair = makeVapidPair();
  await insertSite(on, {
    id: siteId,
    tenantId: input.tenantId,
    name: siteName.parse(input.name),
    url: siteUrl.parse(input.url),
    vapidPublicKey: pair.publicKey,
    vapidPrivateKeySealed: sealVapidKey(app.secrets, siteId, pair.privateKey),
  });
  return { siteId, vapidPublicKey: pair.publicKey.toString("base64url") };
}
