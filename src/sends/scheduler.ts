import type { App } from "../app.ts";
import { campaignOfTenant } from "../campaigns/queries.ts";
import { sendsMail } from "../mail/queue-email.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { traced } from "../tracing.ts";
import { type DueSend, dueSends, nextDueInMs, recordNextDelay } from "./due-queries.ts";
import { sendDue } from "./send-due.ts";
import { emailAboutDelay } from "./send-emails.ts";

/**
 * The longest pause between two rounds. A campaign that is scheduled for a moment from now is found within this time.
 */
const lookEveryMs = 500;

/** How many due sends run in parallel. Many campaigns are due at the full hour, and each is a short transaction. */
const parallelSends = 4;

/**
 * Starts all planned sends that are due now: schedules, and sends whose undo window has ended. An error is logged; the
 * next call tries the send again.
 */
export async function startDueSends(app: App): Promise<void> {
  const due = await dueSends(app.db, app.config.GRACE_MINUTES);
  const startNext = async () => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) await startOne(app, next);
  };
  await Promise.all(Array.from({ length: Math.min(parallelSends, due.length) }, startNext));
}

async function startOne(app: App, due: DueSend): Promise<void> {
  const { campaignId } = due;
  try {
    const outcome = await traced("start a planned send", { "pressbell.campaign_id": campaignId }, () =>
      sendDue(app, due),
    );
    if (outcome.kind === "sent") app.log.info({ campaignId, runId: outcome.runId }, "a planned send has started");
    if (outcome.kind === "failed") app.log.warn({ campaignId, ...outcome.failure }, "a scheduled campaign failed");
  } catch (error) {
    app.log.error({ err: error, campaignId }, "a planned send could not start; trying again");
  }
}

/** Sends e-mails about each campaign that a gate delays, once for each time at which it is due. */
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
 * Starts the scheduler; any number of processes may run one. It looks every 500 ms, and at the moment when the next
 * planned send is due. All times follow the database's clock.
 */
export function startScheduler(app: App): PollLoop {
  const round = async () => {
    await startDueSends(app);
    await emailAboutDelays(app);
    // A timer may fire up to 1 ms early. Then the round would find nothing due, and another would follow immediately.
    return { pauseMs: Math.min(lookEveryMs, await nextDueInMs(app.db)) + 1 };
  };
  const onFault = (error: unknown) => app.log.warn({ err: error }, "the schedule could not be read; will retry");
  return startPollLoop({ round, everyMs: lookEveryMs, onFault });
}
