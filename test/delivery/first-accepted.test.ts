import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { countProvenSubscribers } from "../../src/subscribers/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { changeSubscribers, deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { startPlanned } from "../runs/fixture.ts";
import { createTestContext, deliverOne, subscribeBrowsers } from "./fixture.ts";

let pushService: PushService;
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  pushService = await startPushService({ keepBodies: "all" });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  publisher = await createPublisher(app);
});

/** Returns for each subscriber whether a message was accepted, and the transaction that wrote its row last. */
const subscribers = async () =>
  (
    await sql<{ accepted: boolean; xmin: string }>`select accepted, xmin::text from subscribers
      where site_id = ${publisher.siteId} order by id`.execute(app.db)
  ).rows;

async function send(): Promise<void> {
  await startPlanned(app, publisher);
  await deliverOne(createTestContext(app, pushService));
}

test("the first accepted message proves a registered subscriber, with one write ever", async () => {
  const endpoints = await subscribeBrowsers(app, publisher, pushService, 6);
  // Browsers have registered the first three. The others were imported.
  await changeSubscribers(app, { endpoint: endpoints.slice(0, 3) }, { isRegistered: true });
  pushService.answerWith({ status: 403, match: { endpoint: endpoints[0]! }, times: 1 });
  expect(await countProvenSubscribers(app.db, publisher.siteId, everybody, 10)).toBe(3);
  await send();
  const first = await subscribers();
  expect(first.map(({ accepted }) => accepted)).toEqual([false, true, true, true, true, true]);
  expect(await countProvenSubscribers(app.db, publisher.siteId, everybody, 10)).toBe(5);
  await send();
  const second = await subscribers();
  expect(second.map(({ accepted }) => accepted)).toEqual([true, true, true, true, true, true]);
  expect(second.slice(1)).toEqual(first.slice(1));
});

test("of imported subscribers, who need no proof, a claim records twenty", async () => {
  await deleteSubscribers(app, {});
  await subscribeBrowsers(app, publisher, pushService, 50);
  await send();
  expect((await subscribers()).filter(({ accepted }) => accepted)).toHaveLength(20);
  await send();
  expect((await subscribers()).filter(({ accepted }) => accepted)).toHaveLength(40);
});
