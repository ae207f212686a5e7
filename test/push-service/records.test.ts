import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type PushService, type PushServiceOptions, startPushService } from "../fixtures/push-service/push-service.ts";
import { createReceipts } from "../fixtures/push-service/receipts.ts";
import type { Subscription } from "../fixtures/push-service/subscriptions.ts";
import { generateVapidKeys, openSession, postHttp1, postOver, validMessage } from "./sender.ts";

const keys = generateVapidKeys();
const open: PushService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});
async function start(options: PushServiceOptions = {}): Promise<PushService> {
  const service = await startPushService(options);
  open.push(service);
  return service;
}

test("ten thousand subscriptions are distinct, look like browsers' and take seconds", async () => {
  const service = await start();
  const before = process.cpuUsage();
  const made = service.createSubscriptions(10_000, { pushServicePath: "/wpush/v2" });
  // Measures the CPU time of this process, because the elapsed time depends on how busy the machine is.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(10_000);
  expect(new Set(made.map(({ endpoint }) => endpoint)).size).toBe(10_000);
  expect(new Set(made.map((subscription) => subscription.keys.p256dh)).size).toBe(10_000);
  const { endpoint, keys: browserKeys } = made[9_999]!;
  expect(endpoint).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/wpush\/v2\/[\w-]{22}$/);
  expect(browserKeys.p256dh).toMatch(/^B[\w-]{86}$/);
  expect(browserKeys.auth).toMatch(/^[\w-]{22}$/);
});

test("subscriptions can be written to a file as NDJSON, and accept messages", async () => {
  const folder = await mkdtemp(join(tmpdir(), "subscriptions-"));
  const service = await start();
  await service.writeSubscriptions(450, join(folder, "all.ndjson"));
  const lines = (await readFile(join(folder, "all.ndjson"), "utf8")).trimEnd().split("\n");
  await rm(folder, { recursive: true });
  expect(lines).toHaveLength(450);
  const last: Subscription = JSON.parse(lines[449]!);
  expect((await postHttp1(service, validMessage(service, last, keys, { n: 450 }))).status).toBe(201);
  expect(service.sample(5)).toEqual([{ endpoint: last.endpoint, payload: { n: 450 } }]);
});

test("a receipt has what was posted, when, and the answer", async () => {
  const service = await start();
  const [subscription] = service.createSubscriptions(1) as [Subscription];
  const message = validMessage(service, subscription, keys, { n: 1 });
  const before = Date.now();
  await postHttp1(service, message);
  await postHttp1(service, { ...message, path: "/push/unknown", headers: { ttl: "soon" } });
  const [taken, unknown] = [...service.receipts()];
  const { endpoint } = subscription;
  const sent = { ttl: 3600, topic: "run1", urgency: "high", bytes: message.body.length };
  expect(taken).toMatchObject({ endpoint, subscriptionIndex: 0, status: 201, accepted: true, ...sent });
  expect(Math.abs(taken!.at - before)).toBeLessThan(5000);
  expect(unknown).toMatchObject({ endpoint: undefined, subscriptionIndex: -1, status: 404, accepted: false });
  expect([unknown!.ttl, unknown!.topic, unknown!.urgency]).toEqual([undefined, undefined, undefined]);
  expect(service.stats()).toMatchObject({ firstAt: taken!.at, lastAt: unknown!.at, byStatus: { 201: 1, 404: 1 } });
});

test("two acceptances of one Topic count as repeated, of two Topics they do not", () => {
  const { stats, add } = createReceipts(10);
  const receipt = { at: 1, status: 201, accepted: true, ttl: 60, urgency: undefined, bytes: 200 };
  const accept = (subscriptionIndex: number, topic: string | undefined): void =>
    add({ ...receipt, subscriptionIndex, topic }, "201");
  accept(1, "a");
  accept(1, "b");
  accept(2, "a");
  accept(3, undefined);
  accept(3, undefined);
  expect(stats).toMatchObject({ accepted: 5, distinctSubscriptionsAccepted: 3, repeated: 0 });
  accept(1, "a");
  add({ ...receipt, subscriptionIndex: 2, topic: "a", accepted: false, status: 503 }, "503");
  expect(stats).toMatchObject({ received: 7, accepted: 6, distinctSubscriptionsAccepted: 3, repeated: 1 });
});

test("a million receipts are kept in order, those beyond the limit are only counted", () => {
  const { stats, add, all } = createReceipts(1_000_000);
  const receipt = { status: 201, accepted: true, ttl: 60, topic: "run", urgency: "low", bytes: 300 };
  for (let n = 0; n < 1_000_001; n++) add({ ...receipt, subscriptionIndex: n, at: n }, "201");
  expect(stats).toMatchObject({ received: 1_000_001, distinctSubscriptionsAccepted: 1_000_001, receiptsDropped: 1 });
  let row = 0;
  for (const { subscriptionIndex, at } of all()) if (subscriptionIndex === row && at === row) row++;
  expect(row).toBe(1_000_000);
});

test.each([
  [undefined, 100, 3],
  ["all", 120, 3],
  ["none", 0, 0],
  [2, 119, 2],
] as const)("keepBodies %s keeps %i of 120 bodies", async (keepBodies, kept, ofFirst) => {
  const service = await start(keepBodies === undefined ? {} : { keepBodies });
  const session = await openSession(service);
  const subscriptions = service.createSubscriptions(118);
  const message = validMessage(service, subscriptions[0]!, keys, { same: true });
  for (let n = 0; n < 3; n++) await postOver(session, message);
  const { headers } = message;
  const others = subscriptions.slice(1).map((to) => ({ ...validMessage(service, to, keys, { same: true }), headers }));
  await Promise.all(others.map((other) => postOver(session, other)));
  session.destroy();
  expect(service.sample(1000)).toHaveLength(kept);
  expect(service.decrypt(subscriptions[0]!.endpoint)).toHaveLength(ofFirst);
  expect(service.stats().accepted).toBe(120);
});

test("a request aborted before its end counts as aborted, not as received", async () => {
  const service = await start();
  const session = await openSession(service);
  const [subscription] = service.createSubscriptions(1) as [Subscription];
  const { path, headers } = validMessage(service, subscription, keys, {});
  const stream = session.request({ ...headers, ":method": "POST", ":path": path });
  stream.on("error", () => {});
  stream.write("half a body", () => session.destroy());
  await service.until((stats) => stats.aborted === 1);
  expect(service.stats()).toMatchObject({ received: 0, accepted: 0 });
});

test("reset deletes receipts, bodies and behaviours and keeps the subscriptions", async () => {
  const service = await start();
  const [subscription] = service.createSubscriptions(1) as [Subscription];
  const message = validMessage(service, subscription, keys, {});
  await postHttp1(service, message);
  service.answerWith({ behaviour: "gone" });
  service.reset();
  expect([...service.receipts()]).toEqual([]);
  expect(service.sample(1)).toEqual([]);
  expect((await postHttp1(service, message)).status).toBe(201);
  expect(service.stats()).toMatchObject({ received: 1, accepted: 1, repeated: 0 });
});

test("close rejects pending waits, frees the port and removes the certificate's folder", async () => {
  const service = await startPushService();
  const { port } = new URL(service.origin);
  const session = await openSession(service);
  const waiting = service.received(1);
  await Promise.all([expect(waiting).rejects.toThrow("the push service was closed"), service.close()]);
  session.destroy();
  await expect(readFile(service.caFile)).rejects.toThrow("ENOENT");
  const next = await start({ port: Number(port) });
  expect(next.origin).toBe(service.origin);
});
