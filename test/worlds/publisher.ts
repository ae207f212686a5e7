import { createECDH, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiKey } from "../../src/access/create-api-key.ts";
import { createOwner } from "../../src/access/create-owner.ts";
import type { Actor } from "../../src/actor.ts";
import type { App } from "../../src/app.ts";
import { importSubscribers } from "../../src/subscribers/import-subscribers.ts";
import { createSite } from "../../src/tenants/create-site.ts";
import { createTenant } from "../../src/tenants/create-tenant.ts";
import { siteById } from "../../src/tenants/queries.ts";

export type Publisher = { tenantId: string; siteId: string; apiKey: string; actor: Actor; vapidPublicKey: string };

/** A tenant with its owner, a site and a key, ready to send. */
export async function makePublisher(
  app: App,
  options: { dpaAccepted?: boolean; plan?: string; siteUrl?: string } = {},
): Promise<Publisher> {
  const { dpaAccepted = true, plan, siteUrl = "https://news.example" } = options;
  return app.db.transaction().execute(async (tx) => {
    const { tenantId } = await createTenant(app, tx, { name: "Publisher", plan, dpaAccepted });
    const email = `owner-${tenantId}@example.org`;
    const { userId } = await createOwner(tx, { tenantId, email, password: "correct horse battery" });
    const site = await createSite(app, operatorOf(tenantId), tx, { name: "Site", url: siteUrl });
    const { keyId, secret } = await createApiKey(tx, { tenantId, name: "test", createdBy: userId });
    return { tenantId, ...site, apiKey: secret, actor: { kind: "key", tenantId, keyId } };
  });
}

/** Whoever sits at the machine, at work for this tenant. */
export function operatorOf(tenantId: string): Actor {
  return { kind: "operator", tenantId };
}

/** A subscription as a browser would hand it over. */
export type BrowserSubscription = { endpoint: string; keys: { p256dh: string; auth: string }; topics?: string[] };

/** `count` subscriptions with real keys at a push service that nobody will reach: for tests that do not deliver. */
export function makeSubscriptions(count: number, origin = "https://fcm.googleapis.com"): BrowserSubscription[] {
  const ecdh = createECDH("prime256v1");
  return Array.from({ length: count }, () => ({
    endpoint: `${origin}/push/${randomBytes(16).toString("base64url")}`,
    keys: { p256dh: ecdh.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") },
  }));
}

/** Subscribes `subscriptions` to a site, by the importer; with `testLabel` as test subscribers. */
export async function subscribe(
  app: App,
  siteId: string,
  subscriptions: BrowserSubscription[],
  testLabel?: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-import-"));
  const file = join(folder, "subscribers.ndjson");
  await writeFile(file, subscriptions.map((subscription) => `${JSON.stringify(subscription)}\n`).join(""));
  const wrong: string[] = [];
  const onWrongLine = (line: number, reason: string) => wrong.push(`line ${line}: ${reason}`);
  const { tenantId } = (await siteById(app.db, siteId))!;
  await importSubscribers(app, operatorOf(tenantId), { siteId, file, testLabel, onWrongLine, onProgress: () => {} });
  await rm(folder, { recursive: true });
  if (wrong.length > 0) throw new Error(`the test's own subscriptions are refused: ${wrong[0]}`);
}
