import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { openDueWaves } from "../../src/runs/waves/open-waves.ts";
import type { CampaignClass, ClassCaps } from "../../src/tenants/sites/campaign-classes.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { setClassRule } from "../fixtures/class-rules.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns, writeCodes } from "../fixtures/rows/runs.ts";
import { planAll, type StartOptions, start, startPlanned, view } from "./fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let readers: BrowserSubscription[];

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

/** Creates a site with three readers. */
beforeEach(async () => {
  await changeRuns(app, { status: ["queued", "sending"] }, { completedAt: present });
  publisher = await createPublisher(app);
  readers = createSubscriptions(3);
  await subscribe(app, publisher.siteId, readers);
});

const cap = (caps: Partial<ClassCaps>, ofClass?: CampaignClass) =>
  setClassRule(app, publisher, { caps: { hour: null, day: null, week: null, ...caps } }, ofClass);

/** Sends a notification. Returns its run, and the number of suppressed readers for each reason. */
async function send(options: StartOptions = {}) {
  const run = await startPlanned(app, publisher, options);
  return { ...run, ...(await suppressedOf(run)) };
}

async function suppressedOf(run: { siteId: string; runId: string }) {
  const { pending, notSent, audience, reasons } = await view(app, publisher, run);
  expect(pending + notSent).toBe(audience);
  return { pending, suppressed: reasons.map(({ reason, count }) => `${reason} ${count}`) };
}

const prefer = (preferences: object, { endpoint, keys } = readers[0]!) =>
  createReaderClient(api, publisher.siteId).post("preferences", {
    endpoint,
    auth: keys.auth,
    preferences: { maxADay: null, quietHours: null, digestAt: null, timeZone: "UTC", ...preferences },
  });

test.for([
  ["an hour", { hour: 1 }, "61 minutes"],
  ["a day", { day: 1 }, "25 hours"],
  ["a week", { week: 1 }, "169 hours"],
] as const)(
  "a cap of one in %s suppresses the second, and counts from the moment of the first",
  async ([_, caps, later]) => {
    await cap(caps);
    const first = await send();
    expect(first.suppressed).toEqual([]);
    expect(await send()).toMatchObject({ pending: 0, suppressed: ["class_cap 3"] });
    await changeRuns(app, { id: first.runId }, { createdAt: ago(later) });
    expect((await send()).suppressed).toEqual([]);
  },
);

test("each window holds by itself", async () => {
  await cap({ hour: 1, day: 2 });
  for (let sent = 0; sent < 2; sent++) {
    expect((await send()).suppressed).toEqual([]);
    await changeRuns(app, { siteId: publisher.siteId }, { createdEarlier: "2 hours" });
  }
  expect((await send()).suppressed).toEqual(["class_cap 3"]);
});

test("a cap counts notifications of its class only, whatever their topics, and by reader", async () => {
  await cap({ day: 1 });
  await send({ class: "low" });
  expect((await send()).suppressed).toEqual([]);
  await subscribe(app, publisher.siteId, createSubscriptions(1));
  expect(await send()).toMatchObject({ pending: 1, suppressed: ["class_cap 3"] });
  expect((await send({ class: "low" })).suppressed).toEqual([]);
});

test("what failed, expired or was suppressed does not count, and what may have come does", async () => {
  await cap({ day: 1 });
  const first = await send();
  await writeCodes(app, first.runId, [finalCode.refused, finalCode.uncertain, finalCode.expired]);
  await changeRuns(app, { id: first.runId }, { completedAt: present });
  expect(await send()).toMatchObject({ pending: 2, suppressed: ["class_cap 1"] });
  expect(await send()).toMatchObject({ pending: 0, suppressed: ["class_cap 3"] });
});

test("a cap holds for runs that several planners plan at the same time", async () => {
  await cap({ day: 1 });
  const runs = [];
  for (let n = 0; n < 4; n++) runs.push(await start(app, publisher));
  await Promise.all(Array.from({ length: 4 }, () => planAll(app)));
  const all = await Promise.all(runs.map(suppressedOf));
  expect(all.reduce((sum, { pending }) => sum + pending, 0)).toBe(3);
});

test("a reader's own limit is named first, and counts what the cap lets through only", async () => {
  await cap({ day: 2 });
  await prefer({ maxADay: 1 });
  expect((await send()).suppressed).toEqual([]);
  expect((await send()).suppressed).toEqual(["frequency_cap 1"]);
  expect((await send()).suppressed.toSorted()).toEqual(["class_cap 2", "frequency_cap 1"]);
});

test("breaking news comes through its cap to readers who have agreed to it", async () => {
  await cap({ day: 1 }, "breaking");
  await prefer({ breaking: true });
  await send({ class: "breaking" });
  expect(await send({ class: "breaking" })).toMatchObject({ pending: 1, suppressed: ["class_cap 2"] });
});

test("tests, corrections and updates are not capped", async () => {
  await cap({ day: 1 });
  const { runId } = await send();
  await changeRuns(app, { id: runId }, { completedAt: present });
  const corrects = { runId, sequence: 1, outcomes: [0] };
  expect((await send({ corrects })).suppressed).toEqual([]);
});

test("readers of a later local time are checked when that comes", async () => {
  await cap({ day: 1 });
  const local = await start(app, publisher, { localTime: { date: "2020-01-01", time: "08:00" } });
  await planAll(app);
  await openDueWaves(app.db);
  expect((await send()).suppressed).toEqual(["class_cap 3"]);
  expect((await suppressedOf(local)).suppressed).toEqual([]);
});

test("what a cap suppresses comes in the digest of a reader who has one", async () => {
  await cap({ day: 1 });
  await prefer({ digestAt: "18:00" });
  await send();
  const { runId } = await send();
  const waiting = sql<{
    suppressed: string[];
  }>`select suppressed from reader_preferences where site_id = ${publisher.siteId}`;
  expect((await waiting.execute(app.db)).rows).toEqual([{ suppressed: [runId] }]);
});
