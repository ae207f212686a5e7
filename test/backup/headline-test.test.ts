import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { releaseSite } from "../../src/backup/quarantined-sites.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { endHeadlineTests } from "../../src/runs/headline-test/end-tests.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openDueWaves } from "../../src/runs/waves/open-waves.ts";
import { runHere } from "../cli/run-here.ts";
import { createTestContext, deliverOne, subscribeBrowsers } from "../delivery/fixture.ts";
import { type Api, createTestDatabase, openAppOn, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { message, startPlanned, view } from "../runs/fixture.ts";
import { backUp, passphrase, scratchFolder } from "./fixture.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** A running headline test in a backup. */
const readers = 500;
const ferry = { ...message, title: "Ferry is back", imageUrl: "https://news.example/ferry.jpg" };

let pushService: PushService;
let source: App;
let restored: App;
let publisher: Publisher;
let run: RunRef;
let endpoints: string[];

type Nudge = { title: string; image?: string; data: { token: string } };
const nudgesAt = (endpoint: string) =>
  (pushService.decrypt(endpoint) as { notification: Nudge }[]).map(({ notification }) => notification);
const readersWith = (title: string) => endpoints.filter((endpoint) => nudgesAt(endpoint)[0]?.title === title);

async function deliver(app: App): Promise<void> {
  const context = createTestContext(app, pushService);
  while (await deliverOne(context));
}

/** Makes `count` readers click a headline, out of all who see it. Resolves once the run counts `total` clicks. */
async function click(app: App, api: Api, title: string, count: number, total: number): Promise<void> {
  const tokens = readersWith(title).map((endpoint) => nudgesAt(endpoint)[0]!.data.token);
  const events = [
    ...tokens.map((token) => ({ token, kind: "displayed" })),
    ...tokens.slice(0, count).map((token) => ({ token, kind: "clicked" })),
  ];
  const headers = { origin: "https://news.example" };
  for (let from = 0; from < events.length; from += 50) {
    const body = { events: events.slice(from, from + 50) };
    expect((await api.call("POST", "/sdk/events", { body, headers })).status).toBe(204);
  }
  await eventually(async () => {
    const { clicked, headlineTest } = await view(app, publisher, run);
    const { shown } = headlineTest!.variants.find((variant) => variant.title === title)!;
    return clicked === total && shown === tokens.length;
  });
}

beforeAll(async () => {
  pushService = await startPushService({ keepBodies: "all" });
  source = await openTestApp({ PUSH_SERVICES: pushService.origin });
  publisher = await createPublisher(source);
  endpoints = await subscribeBrowsers(source, publisher, pushService, readers);
  run = await startPlanned(source, publisher, { test: { messages: [message, ferry], share: 60, minutes: 30 } });
  await deliver(source);
  await click(source, await serve(source), message.title, 3, 3);

  const file = join(await scratchFolder(), "pressbell.backup");
  await backUp(source, file);
  const target = await createTestDatabase();
  const words = ["restore", file, "--passphrase-stdin", "--secret-key-out", `${file}.key`];
  const { err } = await runHere(words, { DATABASE_URL: urlOf(target) }, { input: `${passphrase}\n` });
  restored = await openAppOn(target, { PUSH_SERVICES: pushService.origin });
  expect(err).not.toMatch(/error/i);
});

test("a running headline test goes on after a restore, and the rest gets the winner", async () => {
  const before = (await view(source, publisher, run)).headlineTest!;
  expect(before).toMatchObject({
    status: "running",
    variants: [{ clicked: 3 }, { clicked: 0, imageUrl: ferry.imageUrl }],
  });
  expect((await view(restored, publisher, run)).headlineTest).toEqual(before);
  const taking = new Map(endpoints.map((endpoint) => [endpoint, nudgesAt(endpoint)]));
  expect(await endHeadlineTests(restored.db)).toEqual({ ended: [], errors: [] });

  // Notifications that were sent before the backup report to the restored service.
  await click(restored, await serve(restored), ferry.title, 50, 53);
  expect(await endHeadlineTests(restored.db)).toEqual({ ended: [{ ...run, outcome: "winner" }], errors: [] });
  await deliver(restored);
  for (const [endpoint, nudges] of taking) expect(nudgesAt(endpoint)).toEqual(nudges);

  await releaseSite(restored, publisher.actor, { siteId: publisher.siteId, runs: "continue" });
  await openDueWaves(restored.db);
  await deliver(restored);
  await sweepRuns(restored.db);
  const after = await view(restored, publisher, run);
  expect(after).toMatchObject({ status: "completed", accepted: readers, repeated: 0 });
  expect(after.headlineTest).toMatchObject({ status: "winner", chosen: 1 });
  for (const [endpoint, nudges] of taking) {
    const { title, image } = nudgesAt(endpoint).at(-1)!;
    expect(nudgesAt(endpoint)).toHaveLength(1);
    if (nudges.length === 0) expect([title, image]).toEqual([ferry.title, ferry.imageUrl]);
  }
});
