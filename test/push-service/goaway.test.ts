import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import type { Subscription } from "../fixtures/push-service/subscriptions.ts";
import { generateVapidKeys, openSession, postHttp1, postOver, validMessage } from "./sender.ts";

const keys = generateVapidKeys();
let service: PushService;
let session: ClientHttp2Session;
let subscriptions: Subscription[];
let lastStreamIds: number[];

beforeEach(async () => {
  service = await startPushService();
  session = await openSession(service);
  lastStreamIds = [];
  session.on("goaway", (_code, lastStreamId) => lastStreamIds.push(lastStreamId));
  subscriptions = service.createSubscriptions(20);
});
afterEach(async () => {
  session.destroy();
  await service.close();
});

/**
 * Posts to all subscriptions at once in one session. Returns the statuses. A status is undefined if there was no
 * answer.
 */
async function burst(): Promise<(number | undefined)[]> {
  const answers = subscriptions.map((subscription, index) =>
    postOver(session, validMessage(service, subscription, keys, { index })),
  );
  return (await Promise.allSettled(answers)).map((end) => (end.status === "fulfilled" ? end.value.status : undefined));
}

test("goaway in a burst processes no stream above its last stream id, and answers the others", async () => {
  service.answerWith({ behaviour: "goaway", match: { from: 10, to: 11 }, times: 1 });
  const statuses = await burst();
  const { accepted } = service.stats();
  expect(accepted).toBe(statuses.filter((status) => status === 201).length);
  expect(lastStreamIds).toHaveLength(1);
  // The streams of a client have odd numbers, from 1 on.
  expect(statuses.map((status, index) => (status === 201) === 2 * index + 1 <= lastStreamIds[0]!)).not.toContain(false);
  expect(accepted).toBeLessThan(20);
});

test("goawayAtOnce announces that nothing was processed, and the next session works", async () => {
  service.answerWith({ behaviour: "goawayAtOnce", times: 1 });
  const client = connect(service.origin, { ca: service.caCertificate });
  const said = once(client, "goaway");
  const posted = postOver(client, validMessage(service, subscriptions[0]!, keys, {}));
  await expect(posted).rejects.toThrow();
  expect((await said).slice(0, 2)).toEqual([0, 0]);
  expect(service.stats()).toMatchObject({ received: 0 });
  session = await openSession(service);
  expect(await burst()).toEqual(subscriptions.map(() => 201));
});

test("a last stream id of 0 or of a server stream is refused", () => {
  for (const lastStreamId of [0, 8]) {
    expect(() => service.answerWith({ behaviour: "goaway", lastStreamId })).toThrow("lastStreamId is not odd");
  }
});

test("goaway can name a stream in the middle", async () => {
  service.answerWith({ behaviour: "goaway", lastStreamId: 9, times: 1 });
  expect(await burst()).toEqual(subscriptions.map((_, index) => (index < 5 ? 201 : undefined)));
  expect(service.stats()).toMatchObject({ accepted: 5 });
});

test("a graceful goaway answers every stream begun, and a new session works", async () => {
  service.answerWith({ behaviour: "goaway", lastStreamId: "seen", match: { from: 19 }, times: 1 });
  expect(await burst()).toEqual(subscriptions.map(() => 201));
  session = await openSession(service);
  expect(await burst()).toEqual(subscriptions.map(() => 201));
  expect(service.stats()).toMatchObject({ accepted: 40, connections: 2 });
});

test("over HTTP/1.1 goaway resets the connection", async () => {
  service.answerWith({ behaviour: "goaway" });
  await expect(postHttp1(service, validMessage(service, subscriptions[0]!, keys, {}))).rejects.toThrow();
  expect(service.stats()).toMatchObject({ accepted: 0 });
});
