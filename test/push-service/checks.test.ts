import type { ClientHttp2Session } from "node:http2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import type { Subscription } from "../fixtures/push-service/subscriptions.ts";
import {
  authorize,
  encryptFor,
  generateVapidKeys,
  type Message,
  openSession,
  postHttp1,
  postOver,
  validClaims,
  validMessage,
} from "./sender.ts";

const keys = generateVapidKeys();
const otherKeys = generateVapidKeys();
const nowSeconds = Math.floor(Date.now() / 1000);
let service: PushService;
let session: ClientHttp2Session;
let free: Subscription;
let bound: Subscription;

beforeAll(async () => {
  service = await startPushService({ keepBodies: "all" });
  session = await openSession(service);
  [free] = service.createSubscriptions(1) as [Subscription];
  [bound] = service.createSubscriptions(1, { applicationServerKey: keys.publicKey }) as [Subscription];
});
afterAll(async () => {
  session.destroy();
  await service.close();
});

const valid = (payload: unknown = {}): Message => validMessage(service, free, keys, payload);

const withHeaders = (headers: Message["headers"]): Message => {
  const message = valid();
  const merged = Object.entries({ ...message.headers, ...headers }).filter(([, value]) => value !== undefined);
  return { ...message, headers: Object.fromEntries(merged) };
};
const withBody = (body: Buffer): Message => ({ ...valid(), body });
const withClaims = (claims: object, header?: object): Message =>
  withHeaders({ authorization: authorize(keys, { ...validClaims(service.origin), ...claims }, header) });
const changed = (change: (body: Buffer) => void): Message => {
  const { body } = valid();
  change(body);
  return withBody(body);
};

const refused: [string, number, string, () => Message][] = [
  ["an unknown token", 404, "no such subscription", () => ({ ...valid(), path: `/push/${"A".repeat(22)}` })],
  ["a path of another kind", 404, "no such subscription", () => ({ ...valid(), path: "/" })],
  ["a known token under another path", 404, "no such", () => ({ ...valid(), path: valid().path.replace("push", "p") })],
  ["a method other than POST", 405, "method is not POST", () => ({ ...valid(), method: "PUT" })],
  ["no TTL", 400, "no TTL header", () => withHeaders({ ttl: undefined })],
  ["a negative TTL", 400, "TTL is not", () => withHeaders({ ttl: "-1" })],
  ["a TTL in words", 400, "TTL is not", () => withHeaders({ ttl: "1h" })],
  ["a Topic of 33 characters", 400, "Topic is not", () => withHeaders({ topic: "a".repeat(33) })],
  ["a Topic with a dot", 400, "Topic is not", () => withHeaders({ topic: "a.b" })],
  ["an unknown Urgency", 400, "Urgency is unknown", () => withHeaders({ urgency: "urgent" })],
  ["no Content-Encoding", 400, "Content-Encoding", () => withHeaders({ "content-encoding": undefined })],
  ["the old aesgcm", 400, "Content-Encoding", () => withHeaders({ "content-encoding": "aesgcm" })],
  ["an empty body", 400, "body is empty", () => withBody(Buffer.alloc(0))],
  ["a body cut in its header", 400, "body ends inside", () => withBody(valid().body.subarray(0, 20))],
  ["a body without a record", 400, "body ends before", () => withBody(valid().body.subarray(0, 90))],
  ["a keyid of 64 bytes", 400, "keyid is not 65", () => changed((body) => body.writeUInt8(64, 20))],
  ["a compressed point", 400, "keyid is not an unc", () => changed((body) => body.writeUInt8(2, 21))],
  ["a record size of 17", 400, "record size is below", () => changed((body) => body.writeUInt32BE(17, 16))],
  ["two records", 400, "more than one record", () => withBody(encryptFor(free, "long enough for two", 30))],
  ["no Authorization", 401, "no Authorization", () => withHeaders({ authorization: undefined })],
  ["another scheme", 401, "not of the vapid", () => withHeaders({ authorization: "WebPush abc" })],
  ["no k", 401, "no t or no k", () => withHeaders({ authorization: "vapid t=a.b.c" })],
  ["a token of two parts", 401, "not a JWT", () => withHeaders({ authorization: "vapid t=a.b, k=c" })],
  ["alg none", 401, "alg is not ES256", () => withClaims({}, { alg: "none" })],
  ["an aud that is not this origin", 401, "aud is not", () => withClaims({ aud: "https://other.example" })],
  ["an aud with a path", 401, "aud is not", () => withClaims({ aud: `${service.origin}/` })],
  ["no exp", 401, "exp is not a number", () => withClaims({ exp: undefined })],
  ["an exp in the past", 401, "exp is in the past", () => withClaims({ exp: nowSeconds - 1 })],
  ["an exp beyond 24 hours", 401, "more than 24 hours", () => withClaims({ exp: nowSeconds + 86_500 })],
  ["no sub", 401, "sub is neither", () => withClaims({ sub: undefined })],
  ["a sub of http:", 401, "sub is neither", () => withClaims({ sub: "http://example.org" })],
  [
    "a k that is not a point",
    401,
    "does not verify",
    () => {
      const authorization = authorize(keys, validClaims(service.origin)).replace(/k=.*/, `k=B${"A".repeat(86)}`);
      return withHeaders({ authorization });
    },
  ],
  [
    "a token signed by another key",
    401,
    "does not verify",
    () => {
      const foreign = { ...otherKeys, publicKey: keys.publicKey };
      return withHeaders({ authorization: authorize(foreign, validClaims(service.origin)) });
    },
  ],
  [
    "a key the subscription was not registered with",
    403,
    "registered with",
    () => validMessage(service, bound, otherKeys, {}),
  ],
];
describe.each(["HTTP/2", "HTTP/1.1"])("over %s", (protocol) => {
  const post = (message: Message) => (protocol === "HTTP/2" ? postOver(session, message) : postHttp1(service, message));
  const refusal = async (message: Message): Promise<[number, string]> => {
    const { status, body } = await post(message);
    return [status, JSON.parse(body || "{}").reason];
  };
  test("a valid message is answered 201 with Location and TTL, and decrypts", async () => {
    const payload = { title: `Hello over ${protocol}`, body: "Größe" };
    const answer = await post(valid(payload));
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toMatch(`${service.origin}/message/`);
    expect(answer.headers.ttl).toBe("3600");
    expect(service.decrypt(free.endpoint)).toContainEqual(payload);
  });

  test("Topic and Urgency may be left out", async () => {
    expect((await post(withHeaders({ topic: undefined, urgency: undefined }))).status).toBe(201);
  });

  test("a TTL beyond four weeks is reduced to four weeks", async () => {
    expect((await post(withHeaders({ ttl: "9999999" }))).headers.ttl).toBe("2419200");
  });

  test("the largest body, 4096 bytes, is accepted and one byte more is not", async () => {
    const largest = encryptFor(free, "x".repeat(3991));
    expect(largest.length).toBe(4096);
    expect((await post(withBody(largest))).status).toBe(201);
    const [status, reason] = await refusal(withBody(encryptFor(free, "x".repeat(3992), 5000)));
    expect([status, reason]).toEqual([413, "body is longer than 4096 bytes"]);
  });

  test.each(refused)("%s is refused with %i: %s", async (_what, status, reason, make) => {
    expect(await refusal(make())).toEqual([status, expect.stringContaining(reason)]);
  });

  test("the key a subscription was registered with may send to it", async () => {
    expect((await post(validMessage(service, bound, keys, {}))).status).toBe(201);
  });
});

test("a cached token is refused once its exp has passed", async () => {
  let now = Date.now();
  const moved = await startPushService({ now: () => now });
  const [subscription] = moved.createSubscriptions(1) as [Subscription];
  const message = validMessage(moved, subscription, keys, {});
  expect((await postHttp1(moved, message)).status).toBe(201);
  now += 3_601_000;
  expect(await postHttp1(moved, message)).toMatchObject({ status: 401, body: '{"reason":"exp is in the past"}' });
  await moved.close();
});
