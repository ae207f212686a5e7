import type { App } from "../app.ts";
import { sendsMail } from "../mail/queue-email.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { traced } from "../tracing.ts";
import { emailAboutDelay } from "./campaign-emails.ts";
import { campaignOfTenant } from "./queries.ts";
import { type DueCampaign, dueCampaigns, nextDueInMs, recordNextDelay } from "./schedule-queries.ts";
import { sendDueCampaign } from "./send-due-campaign.ts";
import { sendAfterUndoWindows } from "./undo-windows/send-after-undo-windows.ts";

/** The longest pause: a campaign that is scheduled for a moment from now is found after this at the latest. */
const lookEveryMs = 500;

/** Many campaigns are due at the full hour. Each is a short transaction; this many run in parallel. */
const parallelSends = 4;

/**
 * Sends all campaigns that are due now. They are read from the campaigns themselves, so a rescheduled or cancelled one
 * leaves nothing to clean up. An error is logged; the next call tries the campaign again.
 */
export async function sendDueCampaigns(app: App): Promise<void> {
  const due = await dueCampaigns(app.db, app.config.GRACE_MINUTES);
  const sendNext = async () => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) await sendOne(app, next);
  };
  await Promise.all(Array.from({ length: Math.min(parallelSends, due.length) }, sendNext));
}

async function sendOne(app: App, { campaignId, tenantId }: DueCampaign): Promise<void> {
  try {
    const outcome = await traced("send a scheduled campaign", { "pressbell.campaign_id": campaignId }, () =>
      sendDueCampaign(app, { kind: "schedule", tenantId }, { campaignId }),
    );
    if (outcome.kind === "sent") app.log.info({ campaignId, runId: outcome.runId }, "a scheduled campaign was sent");
    if (outcome.kind === "failed") app.log.warn({ campaignId, ...outcome.failure }, "a scheduled campaign failed");
  } catch (error) {
    app.log.error({ err: error, campaignId }, "a scheduled campaign could not be sent; trying again");
  }
}

/** E-mails about each campaign that a gate delays, once for each time at which it is due. */
export async function emailAboutDelays(app: App): Promise<void> {
  while (sendsMail(app)) {
    const reported = await app.db.transaction().execute(async (tx) => {
      const delayed = await recordNextDelay(tx, app.config.GRACE_MINUTES);
      if (delayed === undefined) return false;
      await emailAboutDelay(app, tx, (await campaignOfTenant(tx, delayed.tenantId, delayed.id))!, delayed.gate);
      return true;
    });
    if (!reported) return;
  }
}

/**
 * Starts the scheduler, also of confirmed sends; any number of processes may run one. It looks every 500 ms, and at the
 * moment when the next campaign is due. All times are of the database's clock.
 */
export function startScheduler(app: App): PollLoop {
  const round = async () => {
    await sendAfterUndoWindows(app);
    await sendDueCampaigns(app);
    await emailAboutDelays(app);
    // A timer may fire up to 1 ms early: the round would find nothing due, and another would follow at once.
    return { pauseMs: Math.min(lookEveryMs, await nextDueInMs(app.db)) + 1 };
  };
  const onFault = (error: unknown) => app.log.warn({ err: error }, "the schedule could not be read; will retry");
  return startPollLoop({ round, everyMs: lookEveryMs, onFault });
}
