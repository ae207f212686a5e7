import { setTimeout as delay } from "node:timers/promises";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { enforceLimit } from "../rate-limits/count-requests.ts";
import { extraRunLimit } from "../rate-limits/limits.ts";
import { startRun } from "../runs/start-run.ts";
import { readTestResults, type TestResult } from "../runs/test-results.ts";
import { type CampaignRecord, illegalMove } from "./campaign.ts";
import { readCorrectedRun } from "./correction.ts";
import { testDevicesOfSite } from "./queries.ts";
import { readVariantMessages } from "./run-message.ts";
import { isSendable } from "./states.ts";
import { takePlace } from "./thread.ts";
import { withCampaign } from "./with-campaign.ts";

/** The most test devices that one test send reaches. */
export const maxDevices = 50;
/** Short, because a test message is useless after its author has put the device away. */
const ttlSeconds = 600;
const answerWithinMs = 15_000;
const pollEveryMs = 150;

/** The message of the `rate_limited` error for `extraRunLimit`. */
export const extraRunsUsedUp =
  `This publisher has made ${extraRunLimit.quota.toLocaleString("en")} test sends and updates within a day. Wait for the ` +
  "next day.";

export type TestSend = { runId: string; recipients: number; accepted: number; results: TestResult[] };

/**
 * Sends a draft or a scheduled campaign to at most 50 test devices of its site. Gates and topics do not apply. Changes
 * no status. Returns when each device has its outcome, or after 15 s, with `pending` for the others. Throws
 * `rate_limited`, `not_found`, `illegal_transition` and `no_test_subscribers`.
 */
export async function testCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<TestSend> {
  const startedMs = performance.now();
  await enforceLimit(app, extraRunLimit, actor.tenantId, extraRunsUsedUp);
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
  const { siteId, tenantId, id: campaignId, urgency } = campaign;
  const corrected = await readCorrectedRun(tx, campaign);
  const messages = await readVariantMessages(app, tx, campaign);
  const { runId } = await startRun(tx, {
    siteId,
    tenantId,
    campaignId,
    kind: "test",
    ttlSeconds,
    urgency,
    idempotencyKey: null,
    messages: messages.slice(0, 1),
    // The audience ends with the last of these devices, so that devices beyond the limit get nothing.
    audience: { of: "testDevices", upTo: devices.at(-1)!.id },
    thread: corrected && (await takePlace(tx, corrected)),
    expectedAudience: devices.length,
  });
  await recordAuditEvent(tx, actor, "campaign.tested", {
    siteId,
    subjectId: campaignId,
    details: { devices: devices.length },
  });
  return { run: { siteId, runId }, devices };
}
