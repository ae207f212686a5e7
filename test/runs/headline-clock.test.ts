import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { endHeadlineTests } from "../../src/runs/headline-test/end-tests.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openDueWaves } from "../../src/runs/waves/open-waves.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago, ahead } from "../fixtures/rows/change.ts";
import { changeRuns, forgetPushServices, setPushService, turnTestClock, writeCodes } from "../fixtures/rows/runs.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";
import { insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { batchesOf, message, startPlanned, view } from "./fixture.ts";

/** Tests the time of a headline test, by the database's clock. */
let app: App;
let publisher: Publisher;
let run: RunRef;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
  await insertSubscribers(app, publisher.siteId, 600);
  const messages = [message, { ...message, title: "Ferry is back" }];
  run = await startPlanned(app, publisher, { test: { messages, share: 80, minutes: 30 }, ttlSeconds: 14_400 });
});

const headlineTest = async () => (await view(app, publisher, run)).headlineTest!;

/** Returns how many minutes the clock has left, or null if it is halted. */
async function minutesLeft(): Promise<number | null> {
  const { endsAt } = await headlineTest();
  return endsAt === null ? null : Math.round((Date.parse(endsAt) - Date.now()) / 60_000);
}

/** Gives all readers who take part this code. */
async function finishTested(code: number): Promise<void> {
  for (const { no, state, size } of await batchesOf(app, run))
    if (state !== "waiting") await writeCodes(app, run.runId, new Array(size).fill(code), no);
}

/** Looks once, as each process does every second. Returns the outcome if the test has ended. */
async function look(): Promise<string | undefined> {
  const { ended, errors } = await endHeadlineTests(app.db);
  expect(errors).toEqual([]);
  return ended.find(({ runId }) => runId === run.runId)?.outcome;
}

/** Returns the states of the batches of readers who take no part. */
async function waiting(): Promise<string[]> {
  await openDueWaves(app.db);
  const found = await batchesOf(app, run);
  return found.filter(({ state }) => state === "waiting").map(({ state }) => state);
}

test("the minutes count from the first accepted message, not from the send", async () => {
  await changeRuns(app, { id: run.runId }, { createdEarlier: "1 hour", startedAt: ago("1 hour") });
  expect(await look()).toBeUndefined();
  expect(await headlineTest()).toMatchObject({ status: "running", waitsFor: "first_accepted", endsAt: null });
  const tested = (await batchesOf(app, run)).find(({ state }) => state !== "waiting")!;
  await writeCodes(app, run.runId, [finalCode.accepted], tested.no);
  expect(await look()).toBeUndefined();
  expect(await headlineTest()).toMatchObject({ status: "running", waitsFor: null });
  expect(await minutesLeft()).toBe(30);
  expect(await waiting()).not.toEqual([]);
});

describe("the minutes do not count", () => {
  const pausedFor20 = { pausedAt: ago("20 minutes") };
  test.each([
    {
      of: "the site",
      halt: () => changeSites(app, { id: publisher.siteId }, pausedFor20),
      lift: () => changeSites(app, { id: publisher.siteId }, { isPaused: false }),
    },
    {
      of: "the publisher",
      halt: () => changeTenants(app, { id: publisher.tenantId }, pausedFor20),
      lift: () => changeTenants(app, { id: publisher.tenantId }, { isPaused: false }),
    },
  ])("in a pause of $of, however late that is noticed", async ({ halt, lift }) => {
    await finishTested(finalCode.accepted);
    await look();
    // The deadline passed five minutes ago, which is fifteen minutes after the pause began.
    await turnTestClock(app, run.runId, 35);
    await halt();
    expect(await look()).toBeUndefined();
    expect(await headlineTest()).toMatchObject({ status: "running", waitsFor: "pause", endsAt: null });
    await lift();
    expect(await look()).toBeUndefined();
    expect(await minutesLeft()).toBe(15);
    expect(await waiting()).not.toEqual([]);
    await turnTestClock(app, run.runId, 15);
    expect(await look()).toBe("not_measured");
    expect(await waiting()).toEqual([]);
  });

  test.each([{ waitsUntil: ahead("1 hour") }, { blockedReason: "forbidden" }])(
    "while every push service rests or is blocked (%#)",
    async (known) => {
      await finishTested(finalCode.accepted);
      await look();
      await turnTestClock(app, run.runId, 10);
      await setPushService(app, publisher.siteId, "fcm", known);
      expect(await look()).toBeUndefined();
      expect(await headlineTest()).toMatchObject({ waitsFor: "push_services", endsAt: null });
      await forgetPushServices(app, publisher.siteId);
      expect(await look()).toBeUndefined();
      expect(await minutesLeft()).toBe(20);
    },
  );

  test("before a first message that comes after a pause", async () => {
    await changeSites(app, { id: publisher.siteId }, { isPaused: true });
    await look();
    await changeSites(app, { id: publisher.siteId }, { isPaused: false });
    await look();
    expect(await headlineTest()).toMatchObject({ waitsFor: "first_accepted", endsAt: null });
  });
});

test("what a pause has delayed takes at most half of what is left of the time to live", async () => {
  await finishTested(finalCode.accepted);
  await changeSites(app, { id: publisher.siteId }, { isPaused: true });
  await look();
  await changeRuns(app, { id: run.runId }, { expiresAt: ahead("40 minutes") });
  await changeSites(app, { id: publisher.siteId }, { isPaused: false });
  await look();
  expect(await minutesLeft()).toBe(20);
});

test("a test without a click by its deadline says so, and the rest gets the campaign's own", async () => {
  await finishTested(finalCode.accepted);
  await look();
  expect(await waiting()).not.toEqual([]);
  await turnTestClock(app, run.runId, 30);
  expect(await look()).toBe("not_measured");
  expect(await headlineTest()).toMatchObject({ status: "not_measured", chosen: 0, waitsFor: null });
  expect(await waiting()).toEqual([]);
});

test("a test whose messages all failed does not wait: the rest gets the campaign's own", async () => {
  await finishTested(finalCode.gone);
  expect(await look()).toBe("not_measured");
  expect(await waiting()).toEqual([]);
});

test("a stop ends a test whose clock is halted", async () => {
  await changeRuns(app, { id: run.runId }, { status: "stopping" });
  expect(await look()).toBe("stopped");
  expect(await headlineTest()).toMatchObject({ status: "stopped", chosen: null, waitsFor: null, endsAt: null });
});

test("of several processes that halt and release the clock at once, each minute counts once", async () => {
  await finishTested(finalCode.accepted);
  await look();
  for (let round = 0; round < 3; round++) {
    for (const isPaused of [true, false]) {
      await changeSites(app, { id: publisher.siteId }, { isPaused });
      await Promise.all(Array.from({ length: 5 }, () => endHeadlineTests(app.db)));
      expect(await minutesLeft()).toBe(isPaused ? null : 30);
    }
  }
});
