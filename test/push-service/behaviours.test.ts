import type { ClientHttp2Session } from "node:http2";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { eventually } from "../fixtures/eventually.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import type { Subscription } from "../fixtures/push-service/subscriptions.ts";
import { startTurnClock } from "../fixtures/turn-clock.ts";
import { type Answer, generateVapidKeys, openSession, postHttp1, postOver, validMessage } from "./sender.ts";

const keys = generateVapidKeys();
let service: PushService;
let session: ClientHttp2Session;
let subscriptions: Subscription[];

beforeEach(async () => {
  service = await startPushService();
  session = await openSession(service);
  subscriptions = service.createSubscriptions(120);
});
afterEach(async () => {
  session.destroy();
  await service.close();
});

const messageTo = (index: number) => validMessage(service, subscriptions[index]!, keys, { index });
const post = (index = 0): Promise<Answer> => postOver(session, messageTo(index));
const post1 = (index = 0): Promise<Answer> => postHttp1(service, messageTo(index));
const fault = (posted: Promise<Answer>): Promise<string> =>
  posted.then(
    (answer) => `answered ${answer.status}`,
    (error) => error.message,
  );

test.each([
  ["notFound", 404, {}],
  ["gone", 410, {}],
  ["forbidden", 403, {}],
  ["throttle", 429, { "retry-after": "1" }],
  ["unavailable", 503, {}],
  ["redirect", 307, { location: "/elsewhere" }],
] as const)("%s answers %i and does not accept the message", async (behaviour, status, headers) => {
  service.answerWith({ behaviour });
  for (const answer of [await post(), await post1()]) {
    expect(answer).toMatchObject({ status, headers, body: '{"reason":"asked to answer this"}' });
  }
  expect(service.stats()).toMatchObject({ received: 2, accepted: 0, byStatus: { [status]: 2 } });
});

test("any status, header and body can be asked for", async () => {
  service.answerWith({ behaviour: "throttle", headers: { "retry-after": "3600" }, body: "slow" });
  expect(await post()).toMatchObject({ status: 429, headers: { "retry-after": "3600" }, body: "slow" });
  service.answerWith({ status: 406, headers: { "x-wns-status": "disconnected" } });
  expect(await post()).toMatchObject({ status: 406, headers: { "x-wns-status": "disconnected" } });
  service.answerWith({ status: 200 });
  expect(await post()).toMatchObject({ status: 200, body: "" });
  expect(service.stats()).toMatchObject({ accepted: 1 });
});

test("an invalid behaviour is refused", () => {
  const { answerWith, origin } = service;
  expect(() => answerWith({ behaviour: "sleepy" as "gone" })).toThrow("no behaviour is called sleepy");
  expect(() => answerWith({ match: { endpoint: `${origin}/push/x` } })).toThrow("no subscription has the endpoint");
  expect(() => answerWith({ behaviour: "hang", status: 503 })).toThrow("hang has no status");
  expect(() => answerWith({ behaviour: "gone", times: 0 })).toThrow("times is below 1");
});

test("an invalid request is refused, even with a behaviour that would answer otherwise", async () => {
  service.answerWith({ behaviour: "gone" });
  expect((await postOver(session, { ...messageTo(0), headers: {} })).status).toBe(401);
});

test("a behaviour can be for one endpoint, a range or the next few, and can be removed", async () => {
  service.answerWith({ behaviour: "gone", match: { endpoint: subscriptions[3]!.endpoint } });
  service.answerWith({ behaviour: "forbidden", match: { from: 5, to: 7 } });
  const statuses = await Promise.all([2, 3, 4, 5, 6, 7].map(async (index) => (await post(index)).status));
  expect(statuses).toEqual([201, 410, 201, 403, 403, 201]);
  service.answerWith({ behaviour: "unavailable", times: 2 });
  expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([503, 503, 201]);
  const remove = service.answerWith({ behaviour: "throttle" });
  expect((await post()).status).toBe(429);
  remove();
  expect((await post()).status).toBe(201);
  service.clearBehaviours();
  expect((await post(3)).status).toBe(201);
});

test("a cap takes so many messages of a sender in a window, and says when it is over", async () => {
  onTestFinished(startTurnClock().stop);
  service.cap({ messages: 2, everyMs: 500 });
  const answers = [await post(), await post(1), await post(2)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(answers[2]!.headers["retry-after"]).toBe("1");
  const other = generateVapidKeys();
  expect((await postOver(session, validMessage(service, subscriptions[1]!, other, {}))).status).toBe(201);
  await eventually(async () => (await post()).status === 201);
  service.clearBehaviours();
  service.cap({ messages: 1, applicationServerKey: other.publicKey });
  expect([(await post()).status, (await post()).status]).toEqual([201, 201]);
  expect(() => service.cap({ messages: 0 })).toThrow("messages or everyMs is below 1");
});

test("a fraction of subscriptions is the same for a seed, a fraction of messages is not", async () => {
  const round = async (): Promise<number[]> => Promise.all(subscriptions.map(async (_, i) => (await post(i)).status));
  service.answerWith({ behaviour: "gone", match: { fraction: 0.3, seed: 7 } });
  const [first, second] = [await round(), await round()];
  const gone = first.filter((status) => status === 410).length;
  expect(second).toEqual(first);
  expect(gone).toBeGreaterThan(20);
  expect(gone).toBeLessThan(55);
  service.clearBehaviours();
  service.answerWith({ behaviour: "unavailable", match: { fraction: 0.3, per: "message", seed: 7 } });
  expect(await round()).not.toEqual(await round());
});

test("delayMs and answerDelayMs delay the answer, not the receipt", async () => {
  const slow = await startPushService({ answerDelayMs: 30 });
  const [subscription] = slow.createSubscriptions(1) as [Subscription];
  slow.answerWith({ delayMs: 30 });
  const startedAt = performance.now();
  const posted = postHttp1(slow, validMessage(slow, subscription, keys, {}));
  await slow.received(1);
  expect(slow.stats().accepted).toBe(1);
  expect((await posted).status).toBe(201);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
  await slow.close();
});

test("hang never answers and does not accept the message", async () => {
  service.answerWith({ behaviour: "hang" });
  const [posted, posted1] = [fault(post()), fault(post1())];
  await service.received(2);
  expect(service.stats()).toMatchObject({ accepted: 0, byStatus: { hang: 2 } });
  await service.close();
  expect(await Promise.all([posted, posted1])).not.toContain("answered 201");
});

test("slowBody answers 201 and then a body that does not end", async () => {
  service.answerWith({ behaviour: "slowBody", delayMs: 1 });
  const { path, headers, body } = messageTo(0);
  const stream = session.request({ ...headers, ":method": "POST", ":path": path }).end(body);
  const bytes: number[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes.push(...chunk);
    if (bytes.length > 3) break;
  }
  expect(service.stats()).toMatchObject({ accepted: 1, byStatus: { 201: 1 } });
});

test("reset accepts the message and loses the answer; resetBefore does not accept it", async () => {
  service.answerWith({ behaviour: "reset" });
  expect(await fault(post())).toContain("NGHTTP2_INTERNAL_ERROR");
  expect(await fault(post1())).toMatch(/ECONNRESET|hang up/);
  expect(service.stats()).toMatchObject({ accepted: 2, repeated: 1, byStatus: { reset: 2 } });
  service.answerWith({ behaviour: "resetBefore" });
  expect(await fault(post())).toContain("NGHTTP2_INTERNAL_ERROR");
  expect(await fault(post1())).toMatch(/ECONNRESET|EPIPE|hang up/);
  expect(service.stats()).toMatchObject({ accepted: 2, byStatus: { resetBefore: 2 } });
  service.clearBehaviours();
  expect((await post()).status).toBe(201);
});

test("resetConnection ends every stream of the connection", async () => {
  service.answerWith({ behaviour: "hang", match: { from: 1 } });
  service.answerWith({ behaviour: "resetConnection", match: { to: 1 } });
  const held = fault(post(1));
  await service.received(1);
  expect(await fault(post(0))).not.toContain("answered");
  expect(await held).not.toContain("answered");
  expect(service.stats()).toMatchObject({ accepted: 1, byStatus: { hang: 1, resetConnection: 1 } });
});

test("refuseStream resets with REFUSED_STREAM, and the connection stays open", async () => {
  service.answerWith({ behaviour: "refuseStream", times: 1 });
  expect(await fault(post())).toContain("NGHTTP2_REFUSED_STREAM");
  expect((await post()).status).toBe(201);
  expect(service.stats()).toMatchObject({ accepted: 1, byStatus: { 201: 1, refuseStream: 1 }, connections: 1 });
});

test("maxConcurrentStreams is announced, and a change reaches open connections", async () => {
  const narrow = await startPushService({ maxConcurrentStreams: 7 });
  const client = await openSession(narrow);
  const limitIs = (limit: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (client.remoteSettings.maxConcurrentStreams === limit) resolve();
      };
      client.on("remoteSettings", look);
      look();
    });
  await limitIs(7);
  narrow.changeMaxConcurrentStreams(1);
  await limitIs(1);
  client.destroy();
  await narrow.close();
});
