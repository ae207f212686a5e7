import { expect, test } from "vitest";
import { checkReputation, reputationOfSite, type SenderReputation } from "../../src/receipts/sender-reputation.ts";
import { runOfTenant } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { addReceipts, insertLeft, insertSiteDay } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertTotals, type RunKind } from "../fixtures/rows/runs.ts";
import { start } from "../runs/fixture.ts";

const good: SenderReputation = {
  accepted: 2_000,
  reached: 970,
  displayed: 1_000,
  clicked: 10,
  clickedReporting: 10,
  dismissed: 300,
  left: 30,
  expired: 0,
  visits: 1_000,
  prompted: 500,
  asked: 100,
  granted: 60,
  denied: 40,
};

test("a site is warned of each ratio beyond its limit, after a thousand displays", () => {
  expect(checkReputation(good)).toEqual([]);
  const warningsOf = (over: Partial<SenderReputation>) => checkReputation({ ...good, ...over });
  expect(warningsOf({ clickedReporting: 9 })).toEqual(["few_clicks"]);
  expect(warningsOf({ clickedReporting: 9, displayed: 999, dismissed: 0 })).toEqual([]);
  expect(warningsOf({ clickedReporting: 0 })).toEqual([]);
  expect(warningsOf({ dismissed: 301 })).toEqual(["many_dismissals"]);
  expect(warningsOf({ left: 31 })).toEqual(["many_leave"]);
  expect(warningsOf({ left: 31, accepted: 999 })).toEqual([]);
  expect(warningsOf({ left: 500, expired: 470 })).toEqual([]);
  expect(warningsOf({ left: 500, expired: 460 })).toEqual(["many_leave"]);
  expect(warningsOf({ accepted: 70_001, reached: 1_000 })).toEqual(["many_nudges"]);
  expect(warningsOf({ accepted: 70_000, reached: 1_000 })).toEqual([]);
  expect(warningsOf({ prompted: 501 })).toEqual(["many_prompts"]);
  expect(warningsOf({ prompted: 501, visits: 999 })).toEqual([]);
  expect(warningsOf({ denied: 41 })).toEqual(["many_denials"]);
  expect(warningsOf({ denied: 60, asked: 99 })).toEqual([]);
});

test("the reputation sums seven days of live runs, their updates, and all but tests", async () => {
  const app = await openTestApp();
  const [publisher, other] = [await createPublisher(app), await createPublisher(app)];
  const add = async (of: typeof publisher, daysAgo: number, kind: RunKind = "live", updated?: string) => {
    const { runId } = await start(app, of);
    const campaignId = updated ?? (await runOfTenant(app.db, of.tenantId, runId))!.campaignId!;
    await changeRuns(app, { id: runId }, { kind, createdAt: ago(`${daysAgo} days`) });
    if (updated !== undefined) await changeRuns(app, { id: runId }, { campaignId });
    await insertTotals(app, runId, { fcm: { accepted: 100, gone: 3 }, wns: { notFound: 1, unsubscribed: 7 } });
    await addReceipts(
      app,
      runId,
      { displayed: 20, clicked: 4, clickedReporting: 3, dismissed: 6, unsubscribed: 1 },
      ago("1 hour"),
      ago("2 hours"),
    );
    return campaignId;
  };
  const campaignId = await add(publisher, 1);
  await add(publisher, 6);
  await add(publisher, 8);
  for (const kind of ["test", "digest", "welcome", "win_back"] as const) await add(publisher, 1, kind);
  await add(publisher, 1, "update", campaignId);
  await insertLeft(app, publisher.siteId, 1, { unsubscribed: 1, expired: 2, gone: 4, deleted: 8 });
  await insertLeft(app, publisher.siteId, 6, { gone: 7 });
  await insertLeft(app, publisher.siteId, 7, { gone: 20 });
  await add(other, 1);
  // Both statements of the transaction have the same moment, so no day begins between them.
  const reputation = await app.db.transaction().execute(async (tx) => {
    const counts = { visits: 100, prompted: 20, asked: 10, granted: 6, denied: 1 };
    for (const daysAgo of [0, 6, 7]) await insertSiteDay({ db: tx }, publisher.siteId, daysAgo, counts);
    return reputationOfSite(tx, publisher.siteId, "UTC");
  });
  expect(reputation).toEqual({
    accepted: 600,
    reached: 100,
    displayed: 80,
    clicked: 24,
    clickedReporting: 18,
    dismissed: 36,
    left: 14,
    expired: 2,
    visits: 200,
    prompted: 40,
    asked: 20,
    granted: 12,
    denied: 2,
  });
});
