import { once } from "node:events";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { createImportPool } from "../../src/import-pool.ts";
import { createParser } from "../../src/parser.ts";
import { importPart } from "../../src/subscribers/import/import-part.ts";
import { maxRecords } from "../../src/subscribers/import/read-part.ts";
import { upsertSubscriber } from "../../src/subscribers/queries.ts";
import { checkSubscription } from "../../src/subscribers/subscription.ts";
import { type Answer, type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
} from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let neighbour: Publisher;

type Owner = { publisher: Publisher; cookie: string };
let owner: Owner;
let ownerBeside: Owner;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  [publisher, neighbour] = [await createPublisher(app), await createPublisher(app)];
  owner = { publisher, cookie: await signIn(api, ownerEmail(publisher.tenantId)) };
  ownerBeside = { publisher: neighbour, cookie: await signIn(api, ownerEmail(neighbour.tenantId)) };
});

const lines = (n = 1) =>
  createSubscriptions(n)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("");

function post({ publisher: { tenantId, siteId }, cookie }: Owner, body: string, query = "", on = api): Promise<Answer> {
  const path = `/dashboard/api/tenants/${tenantId}/sites/${siteId}/subscribers${query}`;
  return on.call("POST", path, { body, headers: { cookie, "content-type": "application/x-ndjson" } });
}

async function countOf({ siteId }: Publisher): Promise<number> {
  const counted = sql<{ n: number }>`select count(*)::int as n from subscribers where site_id = ${siteId}`;
  return (await row(counted, app.db))!.n;
}

/** Holds the turn of a tenant until `end` is called. */
function holdTurn(tenantId: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { held: app.imports.inTurn(tenantId, () => promise), end: resolve };
}

describe("imports of one publisher", () => {
  test("wait for each other, at most four, and a neighbour's does not wait for them", async () => {
    await post(ownerBeside, lines());
    const turn = holdTurn(publisher.tenantId);
    const statuses: number[] = [];
    const posts = Array.from({ length: 6 }, async () => {
      const answer = await post(owner, lines());
      statuses.push(answer.status);
      return answer;
    });
    await eventually(async () => statuses.length === 2);
    expect(statuses).toEqual([429, 429]);
    expect(await post(ownerBeside, lines())).toMatchObject({ status: 200, body: { report: { added: 1 } } });
    turn.end();
    await turn.held;
    const answers = await Promise.all(posts);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: "rate_limited", limit: "imports", retryAfterSeconds: 5 });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await countOf(publisher)).toBe(4);
  });

  test("never use more than three connections, of however many publishers", async () => {
    const publishers = await Promise.all(Array.from({ length: 6 }, () => createPublisher(app)));
    const owners = await Promise.all(
      publishers.map(async (one) => ({ publisher: one, cookie: await signIn(api, ownerEmail(one.tenantId)) })),
    );
    const open: number[] = [];
    let isOver = false;
    const watching = (async () => {
      while (!isOver) open.push(await connectionsOfImports());
    })();
    const answers = await Promise.all(owners.map((one) => post(one, lines(20))));
    isOver = true;
    await watching;
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(Math.max(...open)).toBeLessThanOrEqual(3);
  });
});

async function connectionsOfImports(): Promise<number> {
  const seen = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = 'pressbell import'`;
  return (await row(seen, app.db))!.n;
}

/** Subscribes a reader in a transaction that ends with `work`, and is then undone. */
async function whileSubscribing(reader: BrowserSubscription, work: () => Promise<unknown>) {
  const undone = new Error("undone");
  const holding = holdOpen(app, async (tx) => {
    const { subscription } = checkSubscription(reader, undefined, { pushServices: [], topicIds: new Set() });
    const change = { topicIds: null, replaces: null, label: null };
    await upsertSubscriber(tx, publisher.siteId, subscription!, change);
    await work();
    throw undone;
  });
  await expect(holding).rejects.toBe(undone);
}

describe("an import that nobody waits for", () => {
  test("stores nothing, even if it had begun to store", async () => {
    const reader = createSubscriptions(1)[0]!;
    const ending = new AbortController();
    let importing: Promise<unknown> = Promise.resolve();
    await whileSubscribing(reader, async () => {
      const body = Buffer.from(`${JSON.stringify(reader)}\n`);
      const input = { siteId: publisher.siteId, query: {}, lines: body, signal: ending.signal };
      importing = importPart(app, publisher.actor, input);
      importing.catch(() => {});
      await eventually(async () => (await countLockWaits(app.db)) === 1);
      ending.abort();
    });
    await expect(importing).rejects.toMatchObject({ code: "unavailable" });
    expect(await countOf(publisher)).toBe(0);
  });

  test("gives up its place as soon as its caller is gone", async () => {
    const taken = Promise.withResolvers<AbortSignal>();
    const inTurn: App["imports"]["inTurn"] = (tenantId, work, signal) => {
      if (signal !== undefined) taken.resolve(signal);
      return app.imports.inTurn(tenantId, work, signal);
    };
    const watched = await serve({ ...app, imports: { ...app.imports, inTurn } });
    const turn = holdTurn(publisher.tenantId);
    const leaving = new AbortController();
    const { tenantId, siteId } = publisher;
    const asked = fetch(`${watched.url}/dashboard/api/tenants/${tenantId}/sites/${siteId}/subscribers`, {
      method: "POST",
      body: lines(),
      signal: leaving.signal,
      headers: { cookie: owner.cookie, "content-type": "application/x-ndjson" },
    });
    const signal = await taken.promise;
    const seen = once(signal, "abort");
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await seen;
    turn.end();
    await turn.held;
    // This turn comes after all turns that waited before it.
    await app.imports.inTurn(tenantId, async () => {});
    expect(await countOf(publisher)).toBe(0);
  });
});

test("an import that waits too long for a lock is answered as a database that is away", async () => {
  const reader = createSubscriptions(1)[0]!;
  await whileSubscribing(reader, async () => {
    const answer = await post(owner, `${JSON.stringify(reader)}\n`);
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(answer.headers.get("retry-after")).toBe("1");
  });
});

describe("a part is read in a thread", () => {
  test("so that a service whose threads are gone answers 503, for imports and previews", async () => {
    const parser = createParser({ log: app.log });
    await parser.close();
    const without = await serve({ ...app, parser });
    expect(await post(owner, lines(), "", without)).toMatchObject({ status: 503 });
    const { tenantId, siteId } = publisher;
    const preview = `/dashboard/api/tenants/${tenantId}/sites/${siteId}/subscribers/preview`;
    const headers = { cookie: owner.cookie, "content-type": "application/x-ndjson" };
    expect(await without.call("POST", preview, { body: "a,b", headers })).toMatchObject({ status: 503 });
  });

  const csv = {
    format: "csv",
    delimiter: ",",
    hasHeader: false,
    columns: { endpoint: 0, p256dh: 1, auth: 2 },
  };
  const full = (line: string) => line.repeat(Math.floor((1024 * 1024) / line.length));
  test.each([
    ["rows of CSV without a reader", full("x,\n"), csv],
    ["rows of CSV that end with CR", full("x,\r"), csv],
    ["empty lines", full("\n"), { format: "ndjson" }],
    ["lines of one letter", full("x\n"), { format: "ndjson" }],
    ["empty objects", full("{}"), { format: "json" }],
    ["one line more than there may be", "{}\n".repeat(maxRecords + 1), { format: "ndjson" }],
  ])("and refused if it is full of %s", async (_what, body, layout) => {
    const answer = await post(owner, body, `?layout=${encodeURIComponent(JSON.stringify(layout))}`);
    expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect(answer.body.message).toContain("at most 20,000 lines");
  });

  test("and taken with as many lines as there may be", async () => {
    const answer = await post(owner, "{}\n".repeat(maxRecords - 1) + lines());
    expect(answer).toMatchObject({ status: 200, body: { report: { lines: maxRecords, added: 1 } } });
    expect(answer.body.faults).toHaveLength(5_000);
  });
});

describe("the analysis after imports", () => {
  test("is asked for by any number of imports and runs once, until its time has come again", async () => {
    await sql`create table analyses (id int generated always as identity)`.execute(app.db);
    const counted = async () => (await rows(sql`select id from analyses`, app.db)).length;
    const statement = "insert into analyses default values";
    const pool = createImportPool({ connection: app.connection, log: app.log, everyMs: 3_600_000 });
    for (let i = 0; i < 20; i++) pool.later(statement);
    await eventually(async () => (await counted()) === 1);
    for (let i = 0; i < 20; i++) pool.later(statement);
    await pool.close();
    expect(await counted()).toBe(1);
    const hasty = createImportPool({ connection: app.connection, log: app.log, everyMs: 1 });
    hasty.later(statement);
    await eventually(async () => (await counted()) === 2);
    hasty.later(statement);
    await eventually(async () => (await counted()) === 3);
    await hasty.close();
  });

  test("is cut off when the service ends, and nothing waits for it", async () => {
    const pool = createImportPool({ connection: app.connection, log: app.log });
    pool.later("select pg_sleep(3600) as of_analysis");
    const running = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep(3600) as of_analysis%'`;
    await eventually(async () => (await row(running, app.db))!.n === 1);
    await pool.close();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep(3600) as of_analysis%'`.execute(app.db);
  });

  test("follows the last part of an import, whose answer does not wait for it", async () => {
    expect(await post(owner, lines(3), "?more=true")).toMatchObject({ status: 200 });
    expect(await post(owner, lines(3))).toMatchObject({ status: 200 });
    const analyzed = sql<{ at: Date | null }>`select last_analyze as at from pg_stat_user_tables
      where relname = 'subscribers'`;
    await eventually(async () => (await row(analyzed, app.db))!.at !== null);
  });
});
