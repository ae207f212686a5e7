import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { CampaignRow } from "../../src/dashboard-api/find-campaigns.ts";
import { sendsOfPeriods } from "../../src/dashboard-api/newsroom-queries.ts";
import { type CampaignFixture, endRuns, openCampaignFixture } from "../campaigns/fixture.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { zoneFarFromMidnight } from "../fixtures/far-from-midnight.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { addReceiptMinutes, addReceipts, insertLeft, type ReceiptCounts } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertRun, insertSentCampaigns, insertTotals, insertUpdates } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/**
 * One site with one run of each kind, and every place that shows its figures: page, list, overview, newsroom screen,
 * period, weeks, CSV and API. All places must show the same number for the same thing.
 */
const { timeZone } = zoneFarFromMidnight();
const day = 86_400_000;
const names = ["displayed", "clicked", "dismissed", "unsubscribed"] as const;
type Figures = Record<(typeof names)[number], number>;

let fixture: CampaignFixture;
let cookie: string;
/** The expected figures of each campaign, by its id. */
const expected = new Map<string, Figures & { accepted: number; runId: string }>();

const dashboard = async (path: string) => {
  const { tenantId } = fixture.publisher;
  const { status, body } = await fixture.api.call("GET", `/dashboard/api/tenants/${tenantId}/${path}`, {
    headers: { cookie },
  });
  expect(status).toBe(200);
  return body;
};
const ofSite = (path: string) => dashboard(`sites/${fixture.publisher.siteId}/${path}`);

const receipts = (clicked: number): Required<Pick<ReceiptCounts, keyof Figures>> => ({
  displayed: 10 * clicked,
  clicked,
  dismissed: 2 * clicked,
  unsubscribed: clicked,
});

async function report(runId: string, clicked: number): Promise<void> {
  await addReceipts(fixture.app, runId, receipts(clicked), present);
  await addReceiptMinutes(fixture.app, runId, receipts(clicked), present);
}

/** Sends a campaign to `accepted` readers, of whom `clicked` readers click. */
async function sent(fields: object, accepted: number, clicked: number): Promise<string> {
  const campaignId = await fixture.draft(fields as Record<string, unknown>);
  const { runId } = (await fixture.post(campaignId, "send")).body;
  await endAt(runId, accepted);
  await report(runId, clicked);
  expected.set(campaignId, { ...receipts(clicked), accepted, runId });
  return campaignId;
}

/** Ends a run as if push services had accepted `accepted` messages and found some readers gone. */
async function endAt(runId: string, accepted: number): Promise<void> {
  await changeRuns(fixture.app, { id: runId }, { completedAt: present });
  await insertTotals(fixture.app, runId, { fcm: { accepted, gone: 2 } });
}

async function updated(campaignId: string, clicked: number): Promise<void> {
  const { status, body } = await fixture.post(campaignId, "updates", { title: `${clicked} goals` });
  expect(status).toBe(202);
  await endAt(body.runId, 100);
  await report(body.runId, clicked);
  const before = expected.get(campaignId)!;
  const more = receipts(clicked);
  // The displays of an update do not count, because the notification was displayed before.
  for (const name of names) if (name !== "displayed") before[name] += more[name];
}

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { app, publisher } = fixture;
  const { siteId, tenantId } = publisher;
  cookie = await signIn(fixture.api, ownerEmail(tenantId));
  await changeSites(app, { id: siteId }, { timeZone });
  await subscribe(app, siteId, createSubscriptions(9));
  const score = await sent({ title: "Kick-off" }, 1_000, 3);
  await updated(score, 5);
  await updated(score, 7);
  const wrong = await sent({ title: "Bridge closed" }, 2_000, 11);
  const right = await sent({ title: "Bridge open", corrects: wrong }, 1_900, 13);
  await updated(right, 17);
  await sent({ title: "One", variants: [{ title: "Two" }] }, 3_000, 19);
  const empty = await sent({ title: "Nobody clicks" }, 500, 0);
  await updated(empty, 23);
  await endRuns(app);
  // Runs of these kinds are in no figure of a campaign.
  for (const kind of ["test", "digest", "welcome", "win_back"] as const) {
    const { runId } = await insertRun(app, { siteId, tenantId, kind: "test" });
    await changeRuns(app, { id: runId }, { kind });
    await report(runId, 1_000);
  }
  await insertLeft(app, siteId, 0, { unsubscribed: 29, deleted: 1_000 });
  await insertLeft(app, siteId, 3, { expired: 31, gone: 37 });
  await insertLeft(app, siteId, 6, { gone: 41 });
  await insertLeft(app, siteId, 7, { unsubscribed: 1_000 });
});

const sumOf = (name: keyof Figures | "accepted") => [...expected.values()].reduce((sum, of) => sum + of[name], 0);

/** Returns the figures of rows, by their campaigns. */
const figuresOf = (rows: CampaignRow[]) =>
  Object.fromEntries(
    rows
      .filter(({ run }) => run !== null)
      .map(({ campaignId, run }) => [
        campaignId,
        Object.fromEntries([...names, "accepted" as const].map((name) => [name, run![name]])),
      ]),
  );

const wanted = () =>
  Object.fromEntries([...expected].map(([campaignId, { runId: _, ...figures }]) => [campaignId, figures]));

describe("what readers did with a notification", () => {
  test("is the same in list, overview and newsroom screen, clicks on its updates with it", async () => {
    expect(figuresOf((await dashboard(`campaigns?siteId=${fixture.publisher.siteId}`)).data)).toEqual(wanted());
    expect(figuresOf((await ofSite("overview")).recent)).toEqual(wanted());
    expect(figuresOf((await ofSite("screen")).today)).toEqual(wanted());
  });

  test("is the same in the list of runs and in the report of the period", async () => {
    const runs = (await dashboard("runs")).data;
    const live = runs.filter(({ kind }: { kind: string }) => kind === "live");
    const byCampaign = live.map((run: Record<string, unknown>) => ({ campaignId: run.campaignId, run }));
    expect(figuresOf(byCampaign)).toEqual(wanted());
    const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format();
    for (const by of ["day", "class", "label", "topic", "sender"]) {
      const [sums, ...others] = (await ofSite(`figures?from=${today}&to=${today}&by=${by}`)).data;
      expect(others).toEqual([]);
      for (const name of [...names, "accepted" as const])
        expect([by, name, sums[name]]).toEqual([by, name, sumOf(name)]);
    }
  });

  test("is the same in the CSV", async () => {
    const { tenantId, siteId } = fixture.publisher;
    const address = `${fixture.api.url}/dashboard/api/tenants/${tenantId}/campaigns.csv?siteId=${siteId}`;
    const text = await (await fetch(address, { headers: { cookie } })).text();
    const [head, ...lines] = text.trim().split("\r\n");
    const columns = head!.split(",");
    const cell = (line: string, name: string) => Number(line.split(",")[columns.indexOf(name)]);
    for (const name of [...names, "accepted" as const]) {
      expect([name, lines.reduce((sum, line) => sum + cell(line, name), 0)]).toEqual([name, sumOf(name)]);
    }
  });

  test("is the same in the API, where hours and minutes add up to it", async () => {
    for (const [campaignId, { runId, ...figures }] of expected) {
      const run = await fixture.run(runId);
      expect(run).toMatchObject(figures);
      for (const name of names) {
        const hours = run.receiptsByHour as Figures[];
        expect(hours.reduce((sum, hour) => sum + hour[name], 0)).toBe(figures[name]);
      }
      const { minutes } = await dashboard(`campaigns/${campaignId}/send-facts`);
      const clicks = minutes.reduce((sum: number, minute: Figures) => sum + minute.clicked, 0);
      expect(clicks).toBe(figures.clicked);
    }
  });

  test("adds up to the period, the week and the reputation", async () => {
    const { now, sent } = await ofSite("period?days=7");
    const sums = { displayed: sumOf("displayed"), clicked: sumOf("clicked") };
    expect(now).toMatchObject({ sends: expected.size, reached: sumOf("accepted"), ...sums });
    expect(sent).toHaveLength(7);
    expect(sent.at(-1)).toMatchObject({ reached: sumOf("accepted"), clicked: sums.clicked });
    expect((await ofSite("overview")).reputation).toMatchObject({ ...sums, dismissed: sumOf("dismissed") });
    expect((await ofSite("send-frequency")).weeks[0]).toMatchObject({ nudges: expected.size, clicked: sums.clicked });
  });

  test("is clicked by the minute on the screen, with automations and without tests", async () => {
    const { minutes } = await ofSite("screen");
    const clicks = minutes.reduce((sum: number, minute: Figures) => sum + minute.clicked, 0);
    expect(clicks).toBe(sumOf("clicked") + 3_000);
  });
});

test("who left is one number for the same days, on every page", async () => {
  const { days, now } = await ofSite("period?days=7");
  const left = 29 + 31 + 37 + 41;
  expect(now.left).toBe(left);
  expect(days.map((one: { left: number }) => one.left)).toEqual([41, 0, 0, 68, 0, 0, 29]);
  const overview = await ofSite("overview");
  expect(overview.reputation.left).toBe(left);
  expect(overview.days.slice(-7)).toEqual(days);
  const [week, before] = (await ofSite("send-frequency")).weeks;
  expect(week).toMatchObject({ left, to: days.at(-1).day, from: days[0].day });
  expect(before).toMatchObject({ left: 1_000 });
});

test("how many readers there are follows from who joined and who is not there any more", async () => {
  const { siteId } = fixture.publisher;
  await sql`delete from subscribers_left where site_id = ${siteId}`.execute(fixture.app.db);
  await insertLeft(fixture.app, siteId, 2, { gone: 2 });
  await sql`insert into subscribers_joined (site_id, day, registered, n)
    values (${siteId}, (now() at time zone ${timeZone})::date - 9, true, 2)`.execute(fixture.app.db);
  await sql`truncate rate_limits`.execute(fixture.app.db);
  const { days } = await ofSite("period?days=30");
  expect(days.slice(-10).map(({ readers }: { readers: number }) => readers)).toEqual([2, 2, 2, 2, 2, 2, 2, 0, 0, 9]);
  expect((await ofSite("overview")).reachable).toBe(9);
  expect(Date.parse(days.at(-1).day) - Date.parse(days[0].day)).toBe(29 * day);
});

test("a period reads each run and each update once, though its tables have no statistics", async () => {
  const { app } = fixture;
  const busy = await createPublisher(app);
  await insertSentCampaigns(app, 300, busy);
  await insertUpdates(app, busy.siteId);
  const read = await countRowsRead(app, "runs", async (tx) => {
    expect((await sendsOfPeriods(tx, busy.siteId, timeZone, 30)).now.sends).toBe(300);
  });
  expect(read).toBeLessThan(10 * 600);
});
