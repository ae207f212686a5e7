import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import type { Audience, WantedAudience } from "../../src/runs/audience.ts";
import { finalCode, pendingCode } from "../../src/runs/ledger/codes.ts";
import { receiptKinds } from "../../src/runs/receipt-kinds.ts";
import { type NewRun, startRun } from "../../src/runs/start-run.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { storyKey } from "../../src/subscribers/preferences/preferences.ts";
import { insertCampaign } from "../../test/fixtures/rows/campaigns.ts";
import { message } from "../message.ts";
import type { Preferences, Site } from "./audience.ts";
import { endRuns, planAndOpen } from "./plan-and-open.ts";

/**
 * A way to send. `preferences`: those of its site's readers. `start`: starts the runs to plan, and creates what they
 * need first: earlier runs, receipts, mutes.
 */
export type Send = { name: string; preferences: Preferences; start(app: App, site: Site): Promise<unknown> };

/** The most readers of one run of a digest or of a step of the welcome. */
const readersOfList = 20_000;

const reached = [finalCode.accepted, finalCode.uncertain];
const unsent = [...reached, finalCode.stopped, pendingCode];
const toEverybody = { of: "readers", ...everybody } as const satisfies WantedAudience;

const toAll = (app: App, site: Site) => startOne(app, site, {});

/** The ways to send. The others are compared with the first. */
export const sends: Send[] = [
  { name: "to all", preferences: "nobody", start: toAll },
  {
    name: "to a topic",
    preferences: "nobody",
    start: (app, site) => startOne(app, site, { audience: { ...toEverybody, topicIds: [site.topicId] } }),
  },
  { name: "to a segment", preferences: "nobody", start: startToSegment },
  { name: "local-time delivery", preferences: "nobody", start: startAtLocalTime },
  { name: "local-time delivery, frequency caps", preferences: "every second reader", start: startAtLocalTime },
  { name: "headline test", preferences: "nobody", start: startHeadlineTest },
  { name: "headline test, frequency caps", preferences: "every second reader", start: startHeadlineTest },
  { name: "update that half of the readers have closed", preferences: "nobody", start: startUpdate },
  { name: "the same, frequency caps", preferences: "every second reader", start: startUpdate },
  { name: "correction", preferences: "nobody", start: (app, site) => startCorrection(app, site, [finalCode.accepted]) },
  ...(["nobody", "one reader", "every second reader"] as const).map((preferences) => ({
    name: `correction after a stop, preferences: ${preferences}`,
    preferences,
    start: (app: App, site: Site) => startCorrection(app, site, [finalCode.accepted, finalCode.stopped]),
  })),
  { name: "one reader has preferences", preferences: "one reader", start: toAll },
  { name: "frequency caps", preferences: "every second reader", start: toAll },
  { name: "quiet hours", preferences: "every second reader, quiet", start: toAll },
  { name: "muted by every fourth reader", preferences: "every second reader", start: startMuted },
  { name: "digests", preferences: "nobody", start: (app, site) => startLists(app, site, "digest") },
  { name: "welcome", preferences: "nobody", start: (app, site) => startLists(app, site, "welcome") },
  {
    name: "welcome, frequency caps",
    preferences: "every second reader",
    start: (app, site) => startLists(app, site, "welcome"),
  },
];

/** Starts a run of a new campaign. It goes to all at once, unless `run` has other values. */
async function startOne(app: App, { siteId, tenantId }: Site, run: Partial<NewRun>): Promise<string> {
  const { title, body, url } = message;
  const ofCampaign = run.kind === "digest" || run.kind === "welcome";
  const campaignId = ofCampaign ? null : await insertCampaign(app, { siteId, tenantId, url, title, body });
  const { runId } = await app.db.transaction().execute((tx) =>
    startRun(tx, {
      siteId,
      tenantId,
      campaignId,
      kind: "live",
      messages: [message],
      audience: toEverybody,
      ttlSeconds: 3_600,
      urgency: "normal",
      idempotencyKey: null,
      expectedAudience: 0,
      ...run,
    }),
  );
  return runId;
}

async function startToSegment(app: App, site: Site): Promise<void> {
  const segment = { subscribedAfter: "2001-01-01", topics: { any: [site.topicId] } };
  await startOne(app, site, { audience: { ...toEverybody, segment } });
}

/** Starts a run at an hour that is half a day away in the first zone, so that planning makes all readers wait. */
async function startAtLocalTime(app: App, site: Site): Promise<void> {
  const [date, time] = new Date(Date.now() + 15 * 3_600_000).toISOString().split("T");
  await startOne(app, site, {
    timing: { at: "localTime", hour: { date: date!, time: time!.slice(0, 5) }, from: null },
  });
}

async function startHeadlineTest(app: App, site: Site): Promise<void> {
  await startOne(app, site, {
    messages: [message, { ...message, title: "B" }],
    timing: { at: "test", share: 20, minutes: 30 },
  });
}

async function startUpdate(app: App, site: Site): Promise<void> {
  const runId = await startEnded(app, site, [finalCode.accepted]);
  await sql`insert into receipt_bits (site_id, run_id, no, kind, bits, added)
    select site_id, run_id, no, ${receiptKinds.dismissed}, ('x' || repeat('aa', 128))::bit(1024), 0 from run_recipients
    where site_id = ${site.siteId} and run_id = ${runId}`.execute(app.db);
  await startOne(app, site, { kind: "update", ...followUp(runId, reached) });
}

async function startCorrection(app: App, site: Site, codes: number[]): Promise<void> {
  const runId = await startEnded(app, site, codes);
  await startOne(app, site, followUp(runId, codes.length === 1 ? reached : unsent));
}

function followUp(runId: string, outcomes: number[]) {
  const audience: Audience = { of: "recipients", runId, outcomes };
  return { audience, thread: { threadId: runId, sequence: 1 } };
}

/** Starts and ends a run to all readers. Its batches have the codes in turn. */
async function startEnded(app: App, site: Site, codes: number[]): Promise<string> {
  const runId = await startOne(app, site, {});
  await planAndOpen(app);
  await sql`update run_batches b set state = 'done', pending = 0, unanswered = 0, codes = repeated.codes,
      accepted = case when code = ${finalCode.accepted} then size else 0 end,
      not_sent = case when code = ${finalCode.accepted} then 0 else size end,
      code_counts = decode(lpad(to_hex(code), 2, '0') || lpad(to_hex(size::int), 4, '0'), 'hex')
    from (select no as of_no, (${codes}::int[])[1 + no % ${codes.length}::int] as code,
        decode(repeat(lpad(to_hex((${codes}::int[])[1 + no % ${codes.length}::int]), 2, '0'), size), 'hex') as codes
      from run_batches where site_id = ${site.siteId} and run_id = ${runId}) repeated
    where b.site_id = ${site.siteId} and b.run_id = ${runId} and b.no = of_no and b.state <> 'done'`.execute(app.db);
  await endRuns(app);
  return runId;
}

async function startMuted(app: App, site: Site): Promise<void> {
  await sql`insert into muted_stories (site_id, story, subscriber_id, title)
    select ${site.siteId}, ${storyKey(message.url)}, id, 'Bridge opens' from subscribers
    where site_id = ${site.siteId} and id % 4 = 0 on conflict do nothing`.execute(app.db);
  await startOne(app, site, {});
}

async function startLists(app: App, site: Site, kind: "digest" | "welcome"): Promise<void> {
  const { rows } = await sql<{ ids: string[] }>`select array_agg(id::text) as ids from (
      select id, row_number() over (order by id) / ${readersOfList} as part from subscribers where site_id = ${site.siteId}) s
    group by part`.execute(app.db);
  for (const { ids } of rows) await startOne(app, site, { kind, audience: { of: "list", subscriberIds: ids } });
}
