import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { readAuditLog } from "../../src/audit/read-log.ts";
import { row } from "../../src/db/pool.ts";
import { importVapidPair } from "../../src/subscribers/import-vapid-pair.ts";
import { siteById } from "../../src/tenants/sites/queries.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { vapidOfSite } from "../../src/tenants/vapid/queries.ts";
import { type VapidFile, writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair, openVapidKey } from "../../src/tenants/vapid/vapid-pair.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
});

/** Creates a site of the publisher, and returns the dashboard's calls for its key pair. */
async function openSite() {
  const created = await createSite(app, publisher.actor, app.db, { name: "Site", url: "https://news.example" });
  const path = `/dashboard/api/tenants/${publisher.tenantId}/sites/${created.siteId}`;
  return {
    ...created,
    read: async () => (await api.call("GET", `${path}/subscribers`, { headers: { cookie } })).body,
    exportPair: () => api.call("POST", `${path}/vapid-pair/export`, { headers: { cookie } }),
    importPair: (body: unknown) => api.call("POST", `${path}/vapid-pair`, { headers: { cookie }, body }),
  };
}

const newFile = () => writeVapidFile(generateVapidPair());
const textOf = (file: VapidFile) => ({ vapidPair: JSON.stringify(file) });

/** Returns the stored pair, decrypted. */
async function storedPair(siteId: string): Promise<VapidFile> {
  const { publicKey, privateKeySealed } = (await vapidOfSite(app.db, siteId))!;
  return writeVapidFile({ publicKey, privateKey: openVapidKey(app.secrets, siteId, privateKeySealed) });
}

test("an owner exports the pair, and no cache stores it", async () => {
  const site = await openSite();
  const answer = await site.exportPair();
  expect(answer).toMatchObject({ status: 200, body: await storedPair(site.siteId) });
  expect(answer.body.publicKey).toBe(site.vapidPublicKey);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("a site without subscribers gets another pair, sealed, for browsers and exports", async () => {
  const site = await openSite();
  const file = newFile();
  expect(await site.read()).toMatchObject({ isEmpty: true, vapidPublicKey: site.vapidPublicKey });
  expect(await site.importPair(textOf(file))).toMatchObject({
    status: 200,
    body: { siteId: site.siteId, vapidPublicKey: file.publicKey },
  });
  expect(await site.read()).toMatchObject({ isEmpty: true, vapidPublicKey: file.publicKey });
  expect((await site.exportPair()).body).toEqual(file);
  const { body: config } = await api.call("GET", `/sdk/sites/${site.siteId}/config?tenant=${publisher.tenantId}`);
  expect(config.vapidPublicKey).toBe(file.publicKey);
  const stored = (await row(
    sql<{ text: string }>`select s::text as text from sites s where id = ${site.siteId}`,
    app.db,
  ))!;
  expect(stored.text).not.toContain(Buffer.from(file.privateKey, "base64url").toString("hex"));
});

test("a site with a reader, an unreachable reader or only a test device keeps its pair", async () => {
  const [reader, refused, device] = [await openSite(), await openSite(), await openSite()];
  await subscribe(app, reader.siteId, createSubscriptions(1));
  await subscribe(app, refused.siteId, createSubscriptions(1));
  await changeSubscribers(app, { siteId: refused.siteId }, { refusedRuns: 9 });
  await subscribe(app, device.siteId, createSubscriptions(1), "Phone");
  for (const site of [reader, refused, device]) {
    const before = await storedPair(site.siteId);
    const answer = await site.importPair(textOf(newFile()));
    expect(answer).toMatchObject({ status: 409, body: { code: "has_subscribers" } });
    expect(answer.body.message).toContain("Add a new site for the pair");
    expect(await storedPair(site.siteId)).toEqual(before);
    expect((await site.read()).isEmpty).toBe(false);
  }
});

test("an invalid pair is refused with its field, and no answer repeats a key", async () => {
  const site = await openSite();
  const file = newFile();
  const foreign = { ...file, publicKey: newFile().publicKey };
  const refused = await site.importPair(textOf(foreign));
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/vapidPair", message: "must have a public key that belongs to its private key" }] },
  });
  expect(JSON.stringify(refused.body)).not.toContain(file.privateKey);
  for (const body of [{}, { vapidPair: file }, { vapidPair: "{}" }, { ...textOf(file), more: 1 }, []]) {
    expect((await site.importPair(body)).status).toBe(400);
  }
  expect((await storedPair(site.siteId)).publicKey).toBe(site.vapidPublicKey);
});

/** Resolves once a statement of this database waits for a lock. */
const isStatementWaiting = () => eventually(async () => (await countLockWaits(app.db)) > 0);

test("waits for a running import of subscribers, whose readers keep their pair", async () => {
  const site = await openSite();
  let importing: Promise<unknown> = Promise.resolve();
  await holdOpen(app, async (tx) => {
    await sql`insert into subscribers (site_id, endpoint, endpoint_hash, p256dh, auth, push_service)
      values (${site.siteId}, 'https://fcm.googleapis.com/x', ${Buffer.alloc(16)}, ${Buffer.alloc(65)},
        ${Buffer.alloc(16)}, 'fcm')`.execute(tx);
    importing = importVapidPair(app, publisher.actor, { siteId: site.siteId, body: textOf(newFile()) });
    importing.catch(() => {});
    await isStatementWaiting();
  });
  await expect(importing).rejects.toMatchObject({ code: "has_subscribers" });
  expect((await storedPair(site.siteId)).publicKey).toBe(site.vapidPublicKey);
});

test("waiting too long for an import answers with a conflict, not with a fault", async () => {
  const site = await openSite();
  await holdOpen(app, async (tx) => {
    await sql`select from sites where id = ${site.siteId} for key share`.execute(tx);
    expect(await site.importPair(textOf(newFile()))).toMatchObject({
      status: 409,
      body: { code: "has_subscribers", message: expect.stringContaining("just now") },
    });
  });
});

test("a subscription waits while the pair changes", async () => {
  const site = await openSite();
  let joining: Promise<unknown> = Promise.resolve();
  await holdOpen(app, async (tx) => {
    // The import holds this lock until it commits.
    await sql`select from sites where id = ${site.siteId} for update`.execute(tx);
    joining = subscribe(app, site.siteId, createSubscriptions(1));
    await isStatementWaiting();
  });
  await joining;
  expect((await site.read()).reachable).toBe(1);
});

test("the audit log records who exported or imported a pair, and contains neither key", async () => {
  const site = await openSite();
  const file = newFile();
  await site.exportPair();
  await site.importPair(textOf(file));
  const { data } = await readAuditLog(app, publisher.actor, { query: { kind: "files", limit: "2" } });
  const by = { kind: "user", name: ownerEmail(publisher.tenantId) };
  expect(data).toMatchObject([
    { by, event: "vapid.imported", siteName: "Site", details: {} },
    { by, event: "vapid.exported", siteName: "Site", details: {} },
  ]);
  const entries = await sql<{ text: string }>`select e::text as text from audit_events e`.execute(app.db);
  for (const { text } of entries.rows) {
    for (const key of [...Object.values(file), site.vapidPublicKey]) expect(text).not.toContain(key);
  }
  expect((await siteById(app.db, site.siteId))!.vapidPublicKey.toString("base64url")).toBe(file.publicKey);
});
