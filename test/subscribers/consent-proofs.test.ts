import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { eraseSites } from "../../src/erasure/erase-sites.ts";
import { requestSiteErasure } from "../../src/erasure/request-erasure.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { expireConsentProofs } from "../../src/subscribers/consent/expire-proofs.ts";
import { type ConsentRecord, proofsKept } from "../../src/subscribers/consent/queries.ts";
import { exportConsents, readConsents } from "../../src/subscribers/consent/read-consents.ts";
import { deleteRegistered } from "../../src/subscribers/delete-registered.ts";
import { expireDormant } from "../../src/subscribers/expire-dormant.ts";
import { deleteGoneSubscribers } from "../../src/subscribers/gone-queries.ts";
import { countRefusals, recordAccepted } from "../../src/subscribers/refused-queries.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { markSiteMoved } from "../../src/tenants/sites/quarantine-queries.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers, deleteSubscribers } from "../fixtures/rows/subscribers.ts";

/** Tests what remains of a consent when a subscription ends, and what does not. */
let app: App;
let api: Api;
let publisher: Publisher;
let client: ReaderClient;
let reader: BrowserSubscription;
let version: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  publisher = await createPublisher(app);
  client = createReaderClient(api, publisher.siteId);
  reader = createSubscriptions(1)[0]!;
  version = await versionNow();
});

const versionNow = async (): Promise<string> =>
  (await api.call("GET", `/sdk/sites/${publisher.siteId}/config?tenant=${publisher.tenantId}`)).body.prompt.version;

const proofOf = ({ endpoint, keys }: BrowserSubscription) => ({ endpoint, auth: keys.auth });

/** Adds a reader who said yes to the prompt, and whose push service has accepted a message. */
async function addReader(of = reader): Promise<void> {
  await client.subscribe(of, { consent: version });
  await changeSubscribers(app, { endpoint: of.endpoint }, { isAccepted: true });
}

const consentsOf = async (of = reader): Promise<ConsentRecord[]> =>
  (await readConsents(app, publisher.actor, { siteId: publisher.siteId, endpoint: of.endpoint })).consents;

const idOf = async ({ endpoint }: BrowserSubscription): Promise<number> =>
  (await row(sql<{ id: number }>`select id from subscribers where endpoint = ${endpoint}`, app.db))!.id;

const proofs = () =>
  rows(sql<{ text: string }>`select p::text as text from consent_proofs p where site_id = ${publisher.siteId}`, app.db);

const ends: Record<string, (of: BrowserSubscription) => Promise<unknown>> = {
  "unsubscribe on a page": (of) => client.unsubscribe(of),
  "have their data deleted": (of) => client.post("erasure", proofOf(of)),
  "are gone": async (of) =>
    deleteGoneSubscribers(app.db, publisher.siteId, [{ id: await idOf(of), endpoint: of.endpoint }]),
  "are dormant": async (of) => {
    await changeSubscribers(app, { endpoint: of.endpoint }, { confirmedAt: ago("13 months") });
    await runMaintenance(app.db, [expireDormant]);
  },
  "are deleted by an owner": () => {
    const body = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
    return deleteRegistered(app, publisher.actor, { siteId: publisher.siteId, body });
  },
};

test.each(Object.entries(ends))("a record of the consent stays of readers who %s", async (_, end) => {
  await addReader();
  const [said] = await consentsOf();
  expect(said).toMatchObject({ how: "prompt", version, endedAt: null, texts: { accept: "Yes, please" } });
  const { traces } = (await row(
    sql<{ traces: string[] }>`select array[endpoint, encode(endpoint_hash, 'hex'), encode(auth, 'hex'),
        encode(p256dh, 'hex')] as traces from subscribers where endpoint = ${reader.endpoint}`,
    app.db,
  ))!;
  await end(reader);
  const kept = await consentsOf();
  expect(kept).toEqual([{ ...said, endedAt: expect.any(String) }]);
  expect(Date.parse(kept[0]!.endedAt!)).toBeGreaterThanOrEqual(Date.parse(said!.consentedAt!));
  const [stored] = await proofs();
  expect(traces.filter((trace) => stored!.text.includes(trace))).toEqual([]);
  // The proof is shown only to the site itself, and only for the reader's endpoint.
  const other = await createPublisher(app);
  const elsewhere = { siteId: other.siteId, endpoint: reader.endpoint };
  expect(await readConsents(app, other.actor, elsewhere)).toEqual({ consents: [] });
  expect(await consentsOf(createSubscriptions(1)[0]!)).toEqual([]);
});

test("a statement that deletes many readers leaves a record of each, with its own version", async () => {
  const many = createSubscriptions(30);
  for (const [at, one] of many.entries()) {
    if (at === 15) await changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt: { title: "Goals?" } });
    if (at === 15) version = await versionNow();
    await addReader(one);
  }
  await ends["are deleted by an owner"]!(reader);
  expect(await proofs()).toHaveLength(30);
  const titles = await Promise.all(many.map(async (one) => (await consentsOf(one))[0]!.texts!.title));
  expect(titles.map((title) => title === "Goals?")).toEqual(many.map((_, at) => at >= 15));
});

test("no record stays of an import, a test device, and what no push service has accepted", async () => {
  const [imported, device, stranger] = createSubscriptions(3);
  const { siteId, actor } = publisher;
  await subscribe(app, siteId, [imported!]);
  const { link } = await createTestLink(app, actor, { siteId, label: "Newsroom" });
  await client.subscribe(device!, { testToken: new URL(link).hash.replace("#pressbell-test=", "") });
  await changeSubscribers(app, { siteId }, { isAccepted: true });
  await client.subscribe(stranger!, { consent: version });
  await client.subscribe(reader);
  for (const one of [imported!, device!, stranger!, reader]) await client.unsubscribe(one);
  expect(await proofs()).toEqual([]);
});

test("a renewed address and a refusal do not take the record away", async () => {
  const [renewed, refused] = createSubscriptions(2);
  await addReader();
  await client.subscribe(renewed!, { replaces: proofOf(reader) });
  await client.unsubscribe(renewed!);
  expect(await consentsOf(renewed!)).toMatchObject([{ how: "prompt", version }]);
  await client.subscribe(refused!, { consent: version });
  const id = await idOf(refused!);
  await recordAccepted(app.db, publisher.siteId, [id]);
  await countRefusals(app.db, publisher.siteId, [id]);
  await client.unsubscribe(refused!);
  expect(await consentsOf(refused!)).toMatchObject([{ how: "prompt", version }]);
});

test("a later yes keeps the one before, and the reader's own data shows both", async () => {
  await addReader();
  const first = version;
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt: { title: "Something else?" } });
  version = await versionNow();
  await addReader();
  // A confirmation is not a consent.
  await client.subscribe(reader);
  const both = [
    { version, endedAt: null, texts: { title: "Something else?" } },
    { version: first, endedAt: expect.any(String), texts: { accept: "Yes, please" } },
  ];
  expect(await consentsOf()).toMatchObject(both);
  expect((await client.post("data", proofOf(reader))).body.consents).toMatchObject(both);
});

test("a subscribed reader who presses a button, or whose browser repeats itself, keeps the yes", async () => {
  await addReader();
  const said = await consentsOf();
  for (let n = 0; n < 3; n++) {
    await client.subscribe(reader, { consent: "page" });
    await client.subscribe(reader, { consent: version });
  }
  expect(await consentsOf()).toEqual(said);
  const renewed = createSubscriptions(1)[0]!;
  await client.subscribe(renewed, { consent: "page", replaces: proofOf(reader) });
  expect(await consentsOf(renewed)).toMatchObject([
    { how: "page", version: null, endedAt: null },
    { how: "prompt", version },
  ]);
});

test("an address keeps its last ten records, however often a reader leaves and comes back", async () => {
  for (let n = 0; n < proofsKept + 3; n++) {
    await changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt: { title: `Title ${n}` } });
    version = await versionNow();
    await addReader();
    await client.unsubscribe(reader);
  }
  const titles = (await consentsOf()).map(({ texts }) => texts!.title);
  expect(titles).toEqual(Array.from({ length: proofsKept }, (_, n) => `Title ${proofsKept + 2 - n}`));
});

test("the maintenance deletes records CONSENT_PROOF_DAYS after the end, and no others", async () => {
  const later = createSubscriptions(1)[0]!;
  await addReader();
  await client.unsubscribe(reader);
  await sql`update consent_proofs set ended_at = now() - interval '31 days' where site_id = ${publisher.siteId}`.execute(
    app.db,
  );
  await addReader(later);
  await client.unsubscribe(later);
  await runMaintenance(app.db, [expireConsentProofs(32)]);
  expect(await consentsOf()).toHaveLength(1);
  await runMaintenance(app.db, [expireConsentProofs(30)]);
  expect(await consentsOf()).toEqual([]);
  expect(await consentsOf(later)).toHaveLength(1);
});

test("a site's erasure deletes its records, and leaves none of its readers", async () => {
  const later = createSubscriptions(1)[0]!;
  await addReader();
  await client.unsubscribe(reader);
  await addReader(later);
  await requestSiteErasure(app, publisher.siteId);
  await runMaintenance(app.db, [eraseSites]);
  expect(await proofs()).toEqual([]);
});

test("readers of a site that was moved leave no record here", async () => {
  await addReader();
  await app.db.transaction().execute((tx) => markSiteMoved(tx, publisher.siteId));
  await deleteSubscribers(app, { siteId: publisher.siteId });
  expect(await proofs()).toEqual([]);
});

test("all consents of a site are exported under hashes, with the versions of its prompt", async () => {
  const { siteId, actor } = publisher;
  const former = createSubscriptions(1)[0]!;
  await addReader(former);
  await client.unsubscribe(former);
  await addReader();
  const exported = async () => {
    let text = "";
    for await (const lines of await exportConsents(app, actor, { siteId })) text += lines;
    return text.trimEnd().split("\n");
  };
  const sha256 = (...parts: (string | Buffer)[]) =>
    createHash("sha256")
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest()
      .subarray(0, 16);
  const hashOf = ({ endpoint }: BrowserSubscription) =>
    sha256(Buffer.from(siteId.replaceAll("-", ""), "hex"), sha256(endpoint)).toString("hex");
  const said = { how: "prompt", version, consentedAt: expect.any(String) };
  const lines = await exported();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      version,
      texts: expect.objectContaining({ accept: "Yes, please" }),
      code: expect.any(String),
      rule: expect.objectContaining({ fromPage: 2 }),
      comparedSince: null,
      isOther: false,
      firstAt: expect.any(String),
    },
    { hash: hashOf(reader), ...said, endedAt: null },
    { hash: hashOf(former), ...said, endedAt: expect.any(String) },
  ]);
  // These are more than a page.
  const many = createSubscriptions(2_500);
  await subscribe(app, siteId, many);
  expect(await exported()).toHaveLength(lines.length + many.length);
});

test("a reader's consent is looked up by an address, at a site of the tenant", async () => {
  const { siteId, actor } = publisher;
  await expect(readConsents(app, actor, { siteId, endpoint: "reader" })).rejects.toMatchObject({
    code: "validation_failed",
    details: { errors: [{ path: "/endpoint" }] },
  });
  const other = await createPublisher(app);
  const theirs = { siteId: other.siteId, endpoint: reader.endpoint };
  await expect(readConsents(app, actor, theirs)).rejects.toMatchObject({ code: "not_found" });
});
