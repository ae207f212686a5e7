import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { registerSubscriber } from "../../src/subscribers/register-subscriber.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp } from "../fixtures/app.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { recipientsOf, startPlanned, subscriberIds } from "../runs/fixture.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
});

type Seen = { id: number; isToday: boolean | null; xmin: string };

const seenOf = (siteId: string) =>
  rows(
    sql<Seen>`select id, seen_on = (now() at time zone 'UTC')::date as "isToday", xmin::text from subscribers
      where site_id = ${siteId} order by id`,
    app.db,
  );
const today = async (siteId: string) => (await seenOf(siteId)).map(({ isToday }) => isToday);
const forget = () => changeSubscribers(app, {}, { seenDaysAgo: 9 });
const siteSeen = async () =>
  (
    await rows(
      sql<{ isToday: boolean | null }>`select readers_seen_on = (now() at time zone 'UTC')::date as "isToday"
        from sites where id = ${publisher.siteId}`,
      app.db,
    )
  )[0]!.isToday;

test("a reader is seen at subscribing and each visit, not at confirmations and imports", async () => {
  const { siteId } = publisher;
  const [one, imported] = createSubscriptions(2);
  await subscribe(app, siteId, [imported!]);
  expect([await today(siteId), await siteSeen()]).toEqual([[null], null]);
  const register = (more: object) =>
    registerSubscriber(app, {
      siteId,
      address: "192.0.2.1",
      body: { subscription: { endpoint: one!.endpoint, keys: one!.keys }, ...more },
    });
  await register({});
  expect([await today(siteId), await siteSeen()]).toEqual([[null, true], true]);
  await forget();
  await register({ background: true });
  expect(await today(siteId)).toEqual([false, false]);
  await register({});
  expect(await today(siteId)).toEqual([false, true]);
  await expect(register({ background: 1 })).rejects.toMatchObject({
    details: { errors: [{ path: "/background", message: "must be true or false" }] },
  });
});

test("a renewal by the service worker keeps topics, and the reader was not seen", async () => {
  const { siteId, actor } = await createPublisher(app);
  const { topicId } = await addTopic(app, actor, { siteId, name: "Sport" });
  const [old, renewed] = createSubscriptions(2);
  const register = ({ endpoint, keys }: BrowserSubscription, more: object) =>
    registerSubscriber(app, { siteId, address: "192.0.2.1", body: { subscription: { endpoint, keys }, ...more } });
  await register(old!, { topicIds: [topicId] });
  const [before] = await seenOf(siteId);
  await forget();
  const replaces = { endpoint: old!.endpoint, auth: old!.keys.auth };
  expect(await register(renewed!, { replaces, background: true })).toMatchObject({ topicIds: [topicId] });
  expect(await seenOf(siteId)).toMatchObject([{ id: before!.id, isToday: false }]);
});

test("a reader who clicks is seen, which is written once a day", async () => {
  const another = await createPublisher(app);
  const { siteId } = another;
  await subscribe(app, siteId, createSubscriptions(3));
  await changeSubscribers(app, { siteId }, { seenDaysAgo: 9 });
  const run = await startPlanned(app, another);
  const [ids] = await recipientsOf(app, run);
  expect(ids).toEqual(await subscriberIds(app, siteId));
  const receipts = createReceiptBuffer(app);
  const tokenOf = createMessageSigner(app.secrets.tokenKey, run.runId, 1);
  const record = async (position: number, kind: "clicked" | "displayed") => {
    receipts.record(tokenOf(position).token, kind, { origin: undefined });
    await receipts.write();
    return seenOf(siteId);
  };
  await record(0, "displayed");
  const [, clicked, other] = await record(1, "clicked");
  expect([clicked!.isToday, other!.isToday]).toEqual([true, false]);
  expect((await record(1, "clicked"))[1]).toEqual(clicked);
  expect(await today(siteId)).toEqual([false, true, false]);
  await receipts.stop();
});

test("two subscriptions of a browser that become one keep the later visit", async () => {
  const { siteId } = await createPublisher(app);
  const [first, second] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
  await subscribe(app, siteId, [first, second]);
  await changeSubscribers(app, { endpoint: first.endpoint }, { seenDaysAgo: 80 });
  await changeSubscribers(app, { endpoint: second.endpoint }, { seenDaysAgo: 0 });
  const replaces = { endpoint: first.endpoint, auth: first.keys.auth };
  const subscription = { endpoint: second.endpoint, keys: second.keys };
  await registerSubscriber(app, {
    siteId,
    address: "192.0.2.1",
    body: { subscription, replaces, background: true },
  });
  expect(await today(siteId)).toEqual([true]);
});
