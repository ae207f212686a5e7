import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeFeeds, insertNewItems } from "../fixtures/rows/feeds.ts";
import { insertWelcomes } from "../fixtures/rows/subscribers.ts";
import { ownerEmail } from "../fixtures/sign-in.ts";
import { runHere } from "./run-here.ts";

vi.setConfig({ testTimeout: 60_000 });

let app: App;
let herald: Publisher;
let courier: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  herald = await named("Herald", "https://herald.example");
  courier = await named("Courier", "https://www.courier.example/news");
});

async function named(name: string, siteUrl: string): Promise<Publisher> {
  const publisher = await createPublisher(app, { siteUrl });
  await changeTenant(app, publisher.actor, { name });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, name: `${name} Online` });
  return publisher;
}

const pressbell = (...words: string[]) => runHere(words, settingsOf(app));

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
async function list(...words: string[]): Promise<any[]> {
  const { code, out, err } = await pressbell(...words, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("tenants and sites are listed with their ids, as lines of JSON or of fields", async () => {
  expect(await list("tenants", "list")).toMatchObject([
    { tenantId: herald.tenantId, name: "Herald", sites: 1, members: 1, paused: false },
    { tenantId: courier.tenantId, name: "Courier" },
  ]);
  expect(await list("sites", "list")).toMatchObject([
    {
      siteId: herald.siteId,
      tenant: "Herald",
      name: "Herald Online",
      url: "https://herald.example",
      quarantined: false,
    },
    { siteId: courier.siteId },
  ]);
  const { out } = await pressbell("sites", "list", "--tenant", "courier");
  expect(out).toMatch(new RegExp(`^siteId=${courier.siteId} tenant=Courier name=Courier Online [^\\n]+\\n$`));
});

test("names that would steer the terminal are escaped in what is listed", async () => {
  const named = "Mail \u001b[2J\u009b1m\u202e end";
  await sql`update tenants set name = ${named} where id = ${courier.tenantId}`.execute(app.db);
  const escaped = "name=Mail \\x1b[2J\\x9b1m\\u{202e} end";
  expect((await pressbell("tenants", "list")).out).toContain(escaped);
  expect((await list("tenants", "list"))[1].name).toBe(named);
  await changeTenant(app, courier.actor, { name: "Courier" });
});

test("members and API keys of a tenant are listed, without secrets; a revoked key stops working", async () => {
  expect(await list("members", "list", "--tenant", "Herald")).toMatchObject([
    { email: ownerEmail(herald.tenantId), role: "owner" },
  ]);
  const [key, ...others] = await list("keys", "list", "--tenant", herald.tenantId);
  expect(others).toEqual([]);
  expect(JSON.stringify(key)).not.toContain(herald.apiKey);
  const api = await serve(app);
  const read = () => api.call("GET", `/v1/tenants/${herald.tenantId}/sites`, { key: herald.apiKey });
  expect((await read()).status).toBe(200);
  expect(await list("keys", "revoke", key.keyId)).toEqual([{ keyId: key.keyId, revoked: true }]);
  expect((await read()).status).toBe(401);
  expect(await pressbell("keys", "revoke", key.keyId)).toMatchObject({
    code: 1,
    err: expect.stringContaining("keys list"),
  });
});

test("a name, or a site's host, stands for an id, unless several have it", async () => {
  for (const site of ["herald online", "HERALD.example", herald.siteId])
    expect(await list("site", "set", "--site", site, "--daily-limit", "9")).toMatchObject([{ siteId: herald.siteId }]);
  expect(await list("site", "set", "--site", "www.courier.example", "--daily-limit", "9")).toMatchObject([
    { siteId: courier.siteId },
  ]);
  expect(await pressbell("site", "snippet", "--site", "Gazette")).toMatchObject({
    code: 1,
    err: "There is no site Gazette. See pressbell sites list.\n",
  });
  const other = await named("Herald", "https://herald.example");
  const { code, err } = await pressbell("site", "set", "--site", "herald.example", "--daily-limit", "9");
  expect({ code, err: err.split("\n")[0] }).toEqual({
    code: 2,
    err: `several have the name herald.example: ${herald.siteId}, ${other.siteId}`,
  });
});

test("a restored site is listed again, and what had waited meanwhile is never sent", async () => {
  const { siteId, actor } = courier;
  await subscribe(app, siteId, createSubscriptions(2));
  await insertWelcomes(app, siteId);
  await sql`insert into reader_preferences (site_id, subscriber_id, max_a_day, time_zone, digest_at, suppressed, digest_due_at)
    select site_id, id, 1, 'UTC', 480, array[gen_random_uuid()], now() + make_interval(hours => row_number() over ()::int * 2 - 3)
    from subscribers where site_id = ${siteId}`.execute(app.db);
  const { feedId } = await addFeed(app, actor, { siteId, url: "https://www.courier.example/feed" });
  await insertNewItems(app, { siteId, feedId }, 2, "https://www.courier.example/story-");
  await changeFeeds(app, { tenantId: courier.tenantId }, { seededAt: present });
  expect(await list("site", "remove", "--site", siteId, "--yes")).toEqual([
    { siteId, removed: true, restorableDays: 7 },
  ]);
  const removedAt = async () => (await list("sites", "list")).find((site) => site.siteId === siteId).removedAt;
  expect(await removedAt()).toMatch(/^\d{4}-/);
  expect(await list("site", "restore", "--site", siteId)).toEqual([{ siteId, restored: true }]);
  expect(await removedAt()).toBeNull();
  const feeds = sql<{ seeded: boolean }>`select seeded_at is not null as seeded from feeds where site_id = ${siteId}`;
  expect(await rows(feeds, app.db)).toEqual([{ seeded: false }]);
  const items = sql<{ status: string }>`select status from feed_items where site_id = ${siteId}`;
  expect(await rows(items, app.db)).toEqual([{ status: "skipped" }, { status: "skipped" }]);
  expect(await rows(sql`select from welcome_due where site_id = ${siteId}`, app.db)).toEqual([]);
  // Only the digest that was due is skipped. The other one is due in an hour.
  const due = sql<{ kept: number }>`select cardinality(suppressed) as kept from reader_preferences
    where site_id = ${siteId} order by kept`;
  expect(await rows(due, app.db)).toEqual([{ kept: 0 }, { kept: 1 }]);
});
