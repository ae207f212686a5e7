import { setTimeout as delay } from "node:timers/promises";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { newId } from "../ids.ts";
import { insertRun } from "../runs/queries.ts";
import type { RunMessage } from "../runs/run.ts";
import { readTestResults, type TestDevice, type TestResult } from "../runs/test-results.ts";
import { type CampaignRecord, illegalMove } from "./campaign.ts";
import { readCorrectedRun } from "./correction.ts";
import { testDevicesOfSite } from "./queries.ts";
import { readRunMessage } from "./run-message.ts";
import { isSendable } from "./states.ts";
import { withCampaign } from "./with-campaign.ts";

/** The most test devices that one test send reaches. */
export const maxDevices = 50;
/** Short: a test message that arrives after its author has put the device away is of no use. */
const ttlSeconds = 600;
const answerWithinMs = 15_000;
const pollEveryMs = 150;

export type TestSend = { runId: string; recipients: number; accepted: number; results: TestResult[] };

/**
 * Sends a draft or a scheduled campaign to the test devices of its site, at most 50, whatever its gates and topics are.
 * Changes no status. Returns when each device has its outcome, or after 15 s with `pending` for the others. Throws
 * `not_found`, `illegal_transition` and `no_test_subscribers`.
 */
export async function testCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<TestSend> {
  const startedMs = performance.now();
  const { run, devices } = await withCampaign(app, actor, input.campaignId, (tx, campaign) =>
    startTestRun(app, tx, actor, campaign),
  );
  for (;;) {
    const results = await readTestResults(app.db, run, devices);
    const isDone = results.every((result) => result.outcome !== "pending");
    if (isDone || performance.now() - startedMs >= answerWithinMs) {
      const accepted = results.filter((result) => result.outcome === "accepted").length;
      return { runId: run.runId, recipients: devices.length, accepted, results };
    }
    await delay(pollEveryMs);
  }
}

async function startTestRun(app: App, tx: Tx, actor: Actor, campaign: CampaignRecord) {
  if (!isSendable(campaign.status)) throw illegalMove(campaign, { to: campaign.shownStatus, done: "tested" });
  const devices = await testDevicesOfSite(tx, campaign.siteId, maxDevices);
  if (devices.length === 0) throw appError("no_test_subscribers");
  const run = { siteId: campaign.siteId, runId: newId() };
  const message = await readRunMessage(app, tx, campaign, await readCorrectedRun(tx, campaign));
  await insertTestRun(tx, campaign, { id: run.runId, devices, message });
  const { siteId, id: subjectId } = campaign;
  await recordAuditEvent(tx, actor, "campaign.tested", { siteId, subjectId, details: { devices: devices.length } });
  return { run, devices };
}

/** The audience ends with the last of `devices`, so devices above the limit get nothing. */
async function insertTestRun(
  tx: Tx,
  campaign: CampaignRecord,
  { id, devices, message }: { id: string; devices: TestDevice[]; message: RunMessage },
): Promise<void> {
  const { siteId, tenantId, urgency } = campaign;
  await insertRun(tx, {
    id,
    siteId,
    tenantId,
    campaignId: campaign.id,
    kind: "test",
    message,
    topicIds: [],
    ttlSeconds,
    urgency,
    idempotencyKey: null,
    maxSubscriberId: devices.at(-1)!.id,
    expectedAudience: devices.length,
  });
}
