import { type KyselyPlugin, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { openDatabase } from "../../src/db/pool.ts";
import { createReaderOrigins } from "../../src/http/reader-origins.ts";
import { isOriginOfAnySite } from "../../src/tenants/sites/queries.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";

let app: App;
let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app, { siteUrl: "https://News.example:443/start?a=b" });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, origins: ["https://m.news.example"] });
  // Many other sites, as in a large installation.
  await sql`insert into sites (id, tenant_id, name, url, origin, origins, vapid_public_key, vapid_private_key_sealed)
    select gen_random_uuid(), tenant_id, name, 'https://s' || n || '.example', 'https://s' || n || '.example',
      array['https://m.s' || n || '.example'], vapid_public_key, vapid_private_key_sealed
    from sites, generate_series(1, 3000) n where id = ${publisher.siteId}`.execute(app.db);
  await sql`analyze sites`.execute(app.db);
});

const report = (origin: string) =>
  api.call("POST", "/sdk/events", {
    body: { events: [{ token: "x".repeat(43), kind: "displayed" }] },
    headers: { origin },
  });

/** Returns the database of `app`, and a function that returns how many statements it has run. */
function counting() {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: app.db.withPlugin(plugin), statements: () => statements };
}

test("an origin is looked up by its index: a flood of unknown ones reads no site", async () => {
  const flood = Array.from({ length: 200 }, (_, i) => `https://evil-${i}.example`);
  const read = await countRowsRead(app, "sites", async (tx) => {
    const origins = createReaderOrigins({ db: tx });
    for (const origin of flood) expect(await origins.isOfAnySite(origin)).toBe(false);
  });
  expect(read).toBe(0);
  const one = await countRowsRead(app, "sites", async (tx) => {
    expect(await isOriginOfAnySite(tx, "https://m.s7.example")).toBe(true);
  });
  expect(one).toBe(1);
});

test("the origins of a site are as browsers write them, of its URL and of its further origins", async () => {
  for (const origin of ["https://news.example", "https://m.news.example", "https://s3000.example"])
    expect((await report(origin)).status).toBe(204);
  for (const origin of ["https://News.example:443", "http://news.example", "https://x.news.example", "null", ""])
    expect((await report(origin)).status).not.toBe(204);
  expect((await report(`https://${"x".repeat(3_000)}.example`)).status).toBe(403);
});

test("a site that was removed has no origin any more", async () => {
  const siteId = "select id from sites where origin = 'https://s5.example'";
  await sql`update sites set removed_at = now() where id = (${sql.raw(siteId)})`.execute(app.db);
  expect(await isOriginOfAnySite(app.db, "https://s5.example")).toBe(false);
  expect(await isOriginOfAnySite(app.db, "https://m.s5.example")).toBe(false);
});

test("who asks for an origin at once, or again within its time, shares one look-up", async () => {
  const { db, statements } = counting();
  const origins = createReaderOrigins({ db });
  const ask = (origin: string) => Promise.all(Array.from({ length: 100 }, () => origins.isOfAnySite(origin)));
  expect(new Set(await ask("https://evil.example"))).toEqual(new Set([false]));
  expect(statements()).toBe(1);
  expect(new Set(await ask("https://news.example"))).toEqual(new Set([true]));
  await ask("https://news.example");
  expect(statements()).toBe(2);
});

test("any number of unknown origins takes no place of a known one", async () => {
  const { db, statements } = counting();
  const origins = createReaderOrigins({ db }, () => 0);
  expect(await origins.isOfAnySite("https://news.example")).toBe(true);
  for (let i = 0; i < 1_100; i++) await origins.isOfAnySite(`https://evil-${i}.example`);
  const before = statements();
  expect(await origins.isOfAnySite("https://news.example")).toBe(true);
  expect(statements()).toBe(before);
  // The first unknown origin was dropped.
  expect(await origins.isOfAnySite("https://evil-0.example")).toBe(false);
  expect(statements()).toBe(before + 1);
});

test("while the database is away a known origin stays known, and an unknown one is an error", async () => {
  const db = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "test", log: app.log });
  let nowMs = 0;
  const origins = createReaderOrigins({ db }, () => nowMs);
  expect(await origins.isOfAnySite("https://news.example")).toBe(true);
  expect(await origins.isOfAnySite("https://evil.example")).toBe(false);
  await db.destroy();
  nowMs = 11_000;
  expect(await origins.isOfAnySite("https://news.example")).toBe(true);
  await expect(origins.isOfAnySite("https://evil.example")).rejects.toThrow();
});

test("an unknown origin is looked up again after a second: its site may be new", async () => {
  let nowMs = 0;
  const origins = createReaderOrigins(app, () => nowMs);
  expect(await origins.isOfAnySite("https://new.example")).toBe(false);
  await createPublisher(app, { siteUrl: "https://new.example" });
  nowMs = 999;
  expect(await origins.isOfAnySite("https://new.example")).toBe(false);
  nowMs = 1_000;
  expect(await origins.isOfAnySite("https://new.example")).toBe(true);
});
