import { afterAll, beforeAll, expect, test } from "vitest";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import type { EncryptedMessage, Receiver } from "../fixtures/push-service/receivers.ts";
import type { Subscription } from "../fixtures/push-service/subscriptions.ts";
import { generateVapidKeys, type Message, postHttp1, validMessage } from "./sender.ts";

const keys = generateVapidKeys();
const delivered: EncryptedMessage[] = [];
let service: PushService;
let browser: Receiver;
let lateByMs = 0;

beforeAll(async () => {
  service = await startPushService({ now: () => Date.now() + lateByMs });
  browser = service.registerBrowser(keys.publicKey, (message) => delivered.push(message));
});
afterAll(() => service.close());

/**
 * Returns a message for the browser that is encrypted for another subscription's keys. The service cannot notice this.
 */
const messageFrom = (sender: typeof keys): Message => {
  const [{ keys: any }] = service.createSubscriptions(1) as [Subscription];
  return validMessage(service, { endpoint: browser.endpoint, keys: any }, sender, { hello: "reader" });
};

test("an accepted message for a browser's endpoint is delivered to the browser, still encrypted", async () => {
  const message = messageFrom(keys);
  expect(await postHttp1(service, message)).toMatchObject({ status: 201 });
  expect(delivered).toMatchObject([{ body: message.body, headers: { "content-encoding": "aes128gcm" } }]);
  expect(service.sample(1)).toEqual([]);
});

test("a refused message is not delivered", async () => {
  expect(await postHttp1(service, messageFrom(generateVapidKeys()))).toMatchObject({ status: 403 });
  const late = messageFrom(keys);
  expect(await postHttp1(service, { ...late, headers: { ...late.headers, ttl: "soon" } })).toMatchObject({
    status: 400,
  });
  expect(delivered).toHaveLength(1);
});

test("a message whose answer is lost is delivered, and again when it is sent again", async () => {
  service.answerWith({ behaviour: "reset", times: 1 });
  const message = messageFrom(keys);
  await expect(postHttp1(service, message)).rejects.toThrow();
  expect(await postHttp1(service, message)).toMatchObject({ status: 201 });
  expect(delivered.slice(1).map(({ body }) => body)).toEqual([message.body, message.body]);
});

test("messages wait for browsers that are off, of one topic only the last, each for its TTL", async () => {
  const before = delivered.length;
  const post = async (headers: object) => {
    const message = messageFrom(keys);
    await postHttp1(service, { ...message, headers: { ...message.headers, ...headers } });
    return message.body;
  };
  service.holdMessages();
  const alone = await post({ topic: "story" });
  await post({ topic: "match" });
  await post({ topic: "late", ttl: "60" });
  await post({ topic: "never", ttl: "0" });
  const last = await post({ topic: "match" });
  expect(delivered).toHaveLength(before);
  lateByMs = 61_000;
  service.releaseMessages();
  expect(delivered.slice(before).map(({ body }) => body)).toEqual([alone, last]);
  expect(await post({ topic: "match" })).toEqual(delivered.at(-1)!.body);
});

test("once the browser has unsubscribed, its endpoint answers 410, to its own sender only", async () => {
  const before = delivered.length;
  browser.unsubscribe();
  expect(await postHttp1(service, messageFrom(keys))).toMatchObject({ status: 410 });
  expect(await postHttp1(service, messageFrom(generateVapidKeys()))).toMatchObject({ status: 403 });
  expect(delivered).toHaveLength(before);
});
