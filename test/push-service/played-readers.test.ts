import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlayedReaders, ReaderEvent } from "../fixtures/push-service/played-readers.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { generateVapidKeys, postHttp1, validMessage } from "./sender.ts";

/** Tests readers with simulated browsers, and Chrome's spam filter on Android. */
const keys = generateVapidKeys();
let service: PushService;

beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

type Counts = { displayed: number; clicked: number };
type Played = { readers: PlayedReaders; agents: Set<string>; counts: Counts };

function play(isAndroid: boolean): Played {
  const agents = new Set<string>();
  const counts: Counts = { displayed: 0, clicked: 0 };
  const report = async (events: ReaderEvent[], userAgent: string) => {
    agents.add(userAgent);
    for (const { kind } of events) counts[kind]++;
  };
  const input = { count: 20, applicationServerKey: keys.publicKey, isAndroid, clickShare: 0.5, report };
  return { readers: service.playReaders(input), agents, counts };
}

/** Sends one notification to each reader. Returns what the browsers reported about it. */
async function nudge({ readers, counts }: Played): Promise<Counts> {
  Object.assign(counts, { displayed: 0, clicked: 0 });
  for (const [i, subscription] of readers.subscriptions.entries()) {
    const payload = { notification: { data: { token: `token-${i}` } } };
    expect(await postHttp1(service, validMessage(service, subscription, keys, payload))).toMatchObject({ status: 201 });
  }
  await readers.whenReported();
  return { ...counts };
}

test("played readers display notifications, click their share, and report like their browser", async () => {
  const [phone, desktop] = [play(true), play(false)];
  expect(await nudge(phone)).toEqual({ displayed: 20, clicked: 10 });
  expect(await nudge(desktop)).toEqual({ displayed: 20, clicked: 10 });
  desktop.readers.setClickShare(0.1);
  expect(await nudge(desktop)).toEqual({ displayed: 20, clicked: 2 });
  expect([...phone.agents].every((agent) => /\bAndroid\b/.test(agent))).toBe(true);
  expect([...desktop.agents].some((agent) => /\bAndroid\b/.test(agent))).toBe(false);
});

test("notifications hidden as spam on Android are displayed and hardly clicked", async () => {
  const [phone, desktop] = [play(true), play(false)];
  service.hideAsSpam({ applicationServerKey: generateVapidKeys().publicKey });
  expect(await nudge(phone)).toEqual({ displayed: 20, clicked: 10 });
  service.hideAsSpam({ applicationServerKey: keys.publicKey, seenShare: 0.1 });
  expect(await nudge(phone)).toEqual({ displayed: 20, clicked: 1 });
  expect(await nudge(desktop)).toEqual({ displayed: 20, clicked: 10 });
  service.clearBehaviours();
  expect(await nudge(phone)).toEqual({ displayed: 20, clicked: 10 });
  expect(() => service.hideAsSpam({ seenShare: 2 })).toThrow("seenShare is not between 0 and 1");
});
