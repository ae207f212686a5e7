import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { deleteRegistered } from "../../src/subscribers/delete-registered.ts";
import { deleteGoneSubscribers } from "../../src/subscribers/gone-queries.ts";
import { importPart } from "../../src/subscribers/import/import-part.ts";
import { deleteSubscriber } from "../../src/subscribers/queries.ts";
import { checkSubscription } from "../../src/subscribers/subscription.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { scratchFolder } from "../backup/fixture.ts";
import { runHere } from "../cli/run-here.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { subscriberIds } from "../runs/fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let client: ReaderClient;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  publisher = await createPublisher(app);
  client = createReaderClient(api, publisher.siteId);
});

const fault = "has left this site or was erased here, and was not asked to be brought back";
const linesOf = (readers: BrowserSubscription[]) => readers.map((one) => `${JSON.stringify(one)}\n`).join("");

function importList(readers: BrowserSubscription[], query: object = {}, siteId = publisher.siteId) {
  const lines = Buffer.from(linesOf(readers));
  return importPart(app, publisher.actor, { siteId, query, lines, signal: new AbortController().signal });
}

async function importOne(reader: BrowserSubscription, query: object = {}) {
  const { report, faults } = await importList([reader], query);
  return { added: report.added, unchanged: report.unchanged, wrong: report.wrong, faults };
}

const one = () => createSubscriptions(1)[0]!;
const added = { added: 1, unchanged: 0, wrong: 0, faults: [] };
const leftOut = { added: 0, unchanged: 0, wrong: 1, faults: [{ line: 1, reason: fault, code: "left_here" }] };

const proof = ({ endpoint, keys }: BrowserSubscription) => ({ endpoint, auth: keys.auth });

/** The ways in which a reader leaves a site. */
const leaving: [string, (reader: BrowserSubscription) => Promise<unknown>][] = [
  ["has unsubscribed", (reader) => client.unsubscribe(reader)],
  ["had their data deleted", (reader) => client.post("erasure", proof(reader))],
  ["is gone by the answer of their push service", (reader) => refuse(reader)],
  [
    "was gone, and then had their data deleted",
    async (reader) => {
      await refuse(reader);
      await client.post("erasure", proof(reader));
    },
  ],
];

async function refuse({ endpoint }: BrowserSubscription): Promise<void> {
  const found = await row(sql<{ id: number }>`select id from subscribers where endpoint = ${endpoint}`, app.db);
  await deleteGoneSubscribers(app.db, publisher.siteId, [{ id: found!.id, endpoint }]);
}

describe.each(leaving)("a reader who %s", (_how, leave) => {
  test("is left out of the import of an old list, however often, and the others are not", async () => {
    const [reader, other] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    expect(await importOne(reader)).toEqual(added);
    await leave(reader);
    const { report, faults } = await importList([other, reader]);
    expect([report, faults]).toMatchObject([{ lines: 2, added: 1, wrong: 1 }, [{ line: 2, reason: fault }]]);
    expect(await importOne(reader)).toEqual(leftOut);
    expect(await subscriberIds(app, publisher.siteId)).toHaveLength(1);
  });

  test("is brought back if the import is asked to, and stays from then on", async () => {
    const reader = one();
    await importOne(reader);
    await leave(reader);
    expect(await importOne(reader, { bringBack: "true" })).toEqual(added);
    expect(await importOne(reader)).toEqual({ ...added, added: 0, unchanged: 1 });
  });

  test("has not left another site of the publisher", async () => {
    const reader = one();
    await importOne(reader);
    await leave(reader);
    const site = { name: "Second", url: "https://second.example" };
    const { siteId } = await createSite(app, publisher.actor, app.db, site);
    expect((await importList([reader], {}, siteId)).report.added).toBe(1);
  });

  test("and subscribes again is known to an import", async () => {
    const reader = one();
    await importOne(reader);
    await leave(reader);
    expect((await client.subscribe(reader)).status).toBe(201);
    expect(await importOne(reader)).toEqual({ ...added, added: 0, unchanged: 1 });
  });
});

test("who was deleted by the publisher has not left, and is imported again", async () => {
  const reader = one();
  await client.subscribe(reader);
  const { siteId, actor } = publisher;
  const [from, to] = [-2, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  expect(await deleteRegistered(app, actor, { siteId, body: { from, to } })).toMatchObject({ subscribers: 1 });
  expect(await importOne(reader)).toEqual(added);
});

test("a stranger who knows the address alone does not keep a reader out", async () => {
  const reader = one();
  await importOne(reader);
  const auth = Buffer.alloc(16).toString("base64url");
  await client.post("erasure", { endpoint: reader.endpoint, auth });
  await client.post("unsubscribe", { endpoint: reader.endpoint, auth });
  expect(await importOne(reader)).toEqual({ ...added, added: 0, unchanged: 1 });
});

test("a reader who leaves while a list is merged is not brought back by it", async () => {
  const reader = one();
  await importOne(reader);
  const { subscription } = checkSubscription(reader, undefined, { pushServices: [], topicIds: new Set() });
  const { endpointHash, auth } = subscription!;
  let importing: ReturnType<typeof importOne>;
  await holdOpen(app, async (tx) => {
    await deleteSubscriber(tx, publisher.siteId, endpointHash, auth);
    importing = importOne(reader);
    await eventually(async () => (await countLockWaits(app.db)) === 1);
  });
  expect(await importing!).toEqual(leftOut);
  expect(await subscriberIds(app, publisher.siteId)).toEqual([]);
});

test("what is kept of who has left is a hash from which the endpoint's own hash is not told", async () => {
  const reader = one();
  await importOne(reader);
  await client.unsubscribe(reader);
  const kept = sql<{ hash: string; own: string }>`select encode(hash, 'hex') as hash,
    encode(sha256(${reader.endpoint}::bytea), 'hex') as own from left_subscribers where site_id = ${publisher.siteId}`;
  const [found, ...more] = await rows(kept, app.db);
  expect(more).toEqual([]);
  expect(found!.hash).toHaveLength(32);
  expect(found!.own).not.toContain(found!.hash);
});

test("the command leaves them out, names the columns of the file, and has --bring-back", async () => {
  const reader = one();
  await importOne(reader);
  await client.unsubscribe(reader);
  const file = join(await scratchFolder(), "old.csv");
  const cells = [reader.endpoint, reader.keys.p256dh, reader.keys.auth, "", "?"];
  await writeFile(file, `endpoint,p256dh,auth,revoked_at,goodbye_note\n${cells.join(",")}\n`);
  const run = (...more: string[]) =>
    runHere(["subscribers", "import", "--site", publisher.siteId, "--json", ...more, file], settingsOf(app));
  const first = await run();
  expect(JSON.parse(first.out)).toMatchObject({ added: 0, wrong: 1 });
  for (const said of ["by: revoked_at.", "who has left: goodbye_note.", `line 2: ${fault}`])
    expect(first.err).toContain(said);
  expect(JSON.parse((await run("--bring-back")).out)).toMatchObject({ added: 1, wrong: 0 });
});

test("an import that brings back is recorded as one that does, and refuses other words", async () => {
  await importOne(one(), { bringBack: "true" });
  await importOne(one());
  const events = await rows(
    sql<{ details: object }>`select details from audit_events
      where site_id = ${publisher.siteId} and event = 'subscribers.imported' order by id`,
    app.db,
  );
  expect(events.map(({ details }) => "bringBack" in details)).toEqual([true, false]);
  await expect(importOne(one(), { bringBack: "maybe" })).rejects.toMatchObject({ code: "validation_failed" });
});
