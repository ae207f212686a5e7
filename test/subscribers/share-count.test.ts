import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { countKeptMs, shareCount, smallSiteAtMost } from "../../src/subscribers/share-count.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { insertSubscribers } from "../fixtures/rows/subscribers.ts";

let app: App;
let nowMs: number;
let siteId: string;
let counts: number;

beforeAll(async () => {
  app = { ...(await openTestApp()), now: () => nowMs };
});

beforeEach(async () => {
  nowMs = 0;
  counts = 0;
  ({ siteId } = await createPublisher(app));
});

/** Asks a question about the site. The answer is how often the service has counted so far. */
const ask = (...question: unknown[]) => shareCount(app, siteId, question, async () => ++counts);

test("of all who ask the same at once, one counts", async () => {
  const asked = [...Array.from({ length: 50 }, () => ask("topics", { at: 1 })), ask("topics", { at: 2 })];
  expect(new Set(await Promise.all(asked))).toEqual(new Set([1, 2]));
});

test("the count of a small site is always of its moment", async () => {
  expect([await ask("readers"), await ask("readers")]).toEqual([1, 2]);
});

test("the count of a large site is kept for five seconds", async () => {
  await insertSubscribers(app, siteId, smallSiteAtMost + 1);
  expect([await ask("readers"), await ask("readers"), await ask("others")]).toEqual([1, 1, 2]);
  nowMs = countKeptMs - 1;
  expect(await ask("readers")).toBe(1);
  nowMs = countKeptMs;
  expect(await ask("readers")).toBe(3);
});

test("a count that fails is not kept: who asks next counts again", async () => {
  const fail = () => shareCount(app, siteId, ["readers"], () => Promise.reject(new Error("away")));
  const failed = await Promise.allSettled([fail(), ask("readers")]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("readers")).toBe(1);
});
