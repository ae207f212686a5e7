import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import type { LocalTime } from "../../src/local-time.ts";
import type { PreferencesView } from "../../src/readers/preferences.ts";
import { type Answer, type Api, openTestApp, serve } from "../fixtures/app.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { message, planAll, start } from "./fixture.ts";

/** Tests what a reader is told about notifications by local-time delivery. */
let app: App;
let api: Api;
let publisher: Publisher;
let reader: BrowserSubscription;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

/** Creates a site in UTC with one reader. The reader's clock is three hours behind UTC. */
beforeEach(async () => {
  publisher = await createPublisher(app);
  reader = createSubscriptions(1)[0]!;
  await subscribe(app, publisher.siteId, [reader]);
  await changeSubscribers(app, { endpoint: reader.endpoint }, { timeZone: "Etc/GMT+3" });
});

function ask(path: "preferences" | "data", body: object = {}): Promise<Answer> {
  const proof = { endpoint: reader.endpoint, auth: reader.keys.auth };
  return createReaderClient(api, publisher.siteId).post(path, { ...proof, ...body });
}

async function recent(body: object = {}): Promise<PreferencesView["recent"]> {
  const answer = await ask("preferences", body);
  expect(answer.status).toBe(200);
  return answer.body.recent;
}

/** Returns the reader's local time `hours` hours ago, and the moment at which it came there. */
function hourAgo(hours: number): { localTime: LocalTime; at: string } {
  const there = new Date(Date.now() - (hours + 3) * 3_600_000).toISOString().slice(0, 16);
  const at = new Date(Date.parse(`${there}Z`) + 3 * 3_600_000).toISOString();
  return { localTime: { date: there.slice(0, 10), time: there.slice(11) }, at };
}

/** Starts a run that began `hours` hours ago. */
async function startAgo(title: string, hours: number, localTime?: LocalTime): Promise<string> {
  const { runId } = await start(app, publisher, { message: { ...message, title }, ...(localTime && { localTime }) });
  await changeRuns(app, { id: runId }, { createdAt: ago(`${hours} hours`) });
  return runId;
}

test("a notification is recent from the reader's own moment on, for 48 hours, and mutable", async () => {
  const [old, tooOld, morning, toCome] = [hourAgo(47), hourAgo(49), hourAgo(1), hourAgo(-1)];
  const oldRun = await startAgo("Old", 47 + 17, old.localTime);
  const tooOldRun = await startAgo("Too old", 49 + 17, tooOld.localTime);
  await startAgo("Morning", 18, morning.localTime);
  await startAgo("Still to come", 16, toCome.localTime);
  await startAgo("At once", 3);
  expect((await recent({ mute: oldRun })).map(({ title, sentAt }) => [title, sentAt])).toEqual([
    ["Morning", morning.at],
    ["At once", expect.any(String)],
    ["Old", old.at],
  ]);
  expect((await ask("preferences", { mute: tooOldRun })).status).toBe(400);
});

test("notifications whose moment has not come take no place among the twenty recent ones", async () => {
  await startAgo("At once", 10);
  const { localTime } = hourAgo(-12);
  for (let n = 0; n < 20; n++) await startAgo("Still to come", 1, localTime);
  expect((await recent()).map(({ title }) => title)).toEqual(["At once"]);
  for (let n = 0; n < 20; n++) await startAgo("Later", 1);
  expect((await recent()).map(({ title }) => title)).toEqual(Array(20).fill("Later"));
});

test("what is known of a reader has each notification with their own moment, the newest first", async () => {
  const [morning, toCome] = [hourAgo(1), hourAgo(-1)];
  await startAgo("Still to come", 16, toCome.localTime);
  await startAgo("Morning", 18, morning.localTime);
  await startAgo("At once", 0);
  await planAll(app);
  const { nudges } = (await ask("data")).body;
  expect(nudges.map(({ title, sentAt }: { title: string; sentAt: string }) => [title, sentAt])).toEqual([
    ["Still to come", toCome.at],
    ["At once", expect.any(String)],
    ["Morning", morning.at],
  ]);
});
