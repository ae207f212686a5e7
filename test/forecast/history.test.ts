import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import { historyOfSite, hoursSinceLastSend } from "../../src/forecast/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertTotals, setMessages } from "../fixtures/rows/runs.ts";
import { message, start } from "../runs/fixture.ts";

const zone = "Asia/Kolkata";
let app: App;
let publisher: Publisher;
/** Seven o'clock, by the site's clocks, on the day on which the test began. */
let seven: Date;

beforeEach(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  const today = sql<{ seven: Date }>`select date_trunc('day', now(), ${zone}) + interval '7 hours' as seven`;
  ({ seven } = (await row(today, app.db))!);
});

type Past = { of?: Publisher; accepted?: number; kind?: "live" | "test"; audience?: number; segment?: object };
/** Adds a send that began this long before seven o'clock. */
async function add(before: string, past: Past = {}) {
  const { of = publisher, accepted = 90, kind = "live", audience = accepted, segment } = past;
  const { siteId, runId } = await start(app, of, { kind });
  await changeRuns(
    app,
    { id: runId },
    {
      status: "completed",
      createdAt: sql`${seven}::timestamptz - ${before}::interval`,
      expectedAudience: audience,
      segment: segment ?? null,
    },
  );
  await insertTotals(app, runId, { fcm: { accepted, gone: 3 } });
  await addReceipts(app, runId, { displayed: 20, clicked: 4, unsubscribed: 1 }, ago("1 hour"), ago("2 hours"));
  return { siteId, runId };
}
const history = () => historyOfSite(app.db, publisher.siteId, zone);

test("the history of a site is that of its own counted live runs, oldest first, by its clocks", async () => {
  await add("2 days");
  await add("3 days 1 hour");
  await add("-1 day");
  await add("2 days", { kind: "test" });
  await add("2 days", { of: await createPublisher(app) });
  const counts = {
    url: expect.stringContaining("https://"),
    hasImage: false,
    topicIds: [],
    accepted: 90,
    displayed: 40,
    clicked: 8,
    left: 5,
  };
  expect(await history()).toMatchObject([
    { ...counts, hour: 6, hoursSinceLast: null },
    { ...counts, hour: 7, hoursSinceLast: 25 },
  ]);
});

test("a history counts hours since any live send to somebody, also one that teaches nothing", async () => {
  await add("5 days");
  await add("4 days 3 hours", { accepted: 49 });
  await add("4 days");
  await add("3 days 2 hours", { segment: { push: ["fcm"] } });
  await add("3 days");
  await add("2 days 1 hour", { audience: 0 });
  await add("2 days");
  expect((await history()).map(({ hoursSinceLast }) => hoursSinceLast)).toEqual([null, 3, 2, 24]);
  const sinceLast = () => hoursSinceLastSend(app.db, publisher.siteId);
  const before = await sinceLast();
  await add("1 day", { audience: 0 });
  expect(await sinceLast()).toBeCloseTo(before!, 1);
  await add("1 day", { accepted: 49 });
  expect(await sinceLast()).toBeCloseTo(before! - 24, 1);
});

test("a history has the message of a headline test that most readers got, or leaves it out", async () => {
  const addTested = async (ago: string, outcome: string, chosen: number | null, share = 20) => {
    const { siteId, runId } = await add(ago);
    const messages = ["Own", "Other"].map((title, i) => ({
      ...message,
      title,
      imageUrl: i === 1 ? message.url : null,
    }));
    await setMessages(app, { siteId, runId }, messages);
    await changeRuns(app, { id: runId }, { testShare: share });
    await sql`insert into headline_tests (site_id, run_id, time_left, ended_at, outcome, chosen, figures)
      values (${siteId}, ${runId}, '0', now(), ${outcome}, ${chosen}, '[]')`.execute(app.db);
  };
  await addTested("6 days", "winner", 1);
  await addTested("5 days", "no_difference", 0, 50);
  await addTested("4 days", "winner", 1, 51);
  await addTested("3 days", "stopped", null);
  await add("2 days");
  expect(await history()).toMatchObject([
    { title: "Other", hasImage: true },
    { title: "Own", hasImage: false },
    { title: message.title },
  ]);
});
