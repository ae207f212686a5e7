import type { App } from "../app.ts";
import { sendsMail } from "../mail/queue-email.ts";
import { emailAboutHold } from "./campaign-emails.ts";
import { campaignOfTenant } from "./queries.ts";
import { type DueCampaign, dueCampaigns, nextDueInMs, recordNextHold } from "./schedule-queries.ts";
import { sendDueCampaign } from "./send-due-campaign.ts";

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
    const outcome = await sendDueCampaign(app, { kind: "schedule", tenantId }, { campaignId });
    if (outcome.kind === "sent") app.log.info({ campaignId, runId: outcome.runId }, "a scheduled campaign was sent");
    if (outcome.kind === "failed") app.log.warn({ campaignId, ...outcome.failure }, "a scheduled campaign failed");
  } catch (error) {
    app.log.error({ err: error, campaignId }, "a scheduled campaign could not be sent; trying again");
  }
}

/** E-mails about each campaign that a gate holds, once for each time at which it is due. */
export async function emailAboutHolds(app: App): Promise<void> {
  while (sendsMail(app)) {
    const reported = await app.db.transaction().execute(async (tx) => {
      const held = await recordNextHold(tx, app.config.GRACE_MINUTES);
      if (held === undefined) return false;
      await emailAboutHold(app, tx, (await campaignOfTenant(tx, held.tenantId, held.id))!, held.gate);
      return true;
    });
    if (!reported) return;
  }
}

/**
 * Starts the scheduler. Looks for due campaigns every half second and at the moment when the next one is due, by the
 * database's clock. Any number of processes may run one.
 */
export function startScheduler(app: App): { stop(): Promise<void> } {
  let isStopping = false;
  let endPause = () => {};

  /** Sends what is due; returns how long to wait, in ms. */
  async function look(): Promise<number> {
    try {
      await sendDueCampaigns(app);
      await emailAboutHolds(app);
      return Math.min(lookEveryMs, await nextDueInMs(app.db));
    } catch (error) {
      app.log.warn({ err: error }, "the schedule could not be read and will be again");
      return lookEveryMs;
    }
  }

  const loop = (async () => {
    while (!isStopping) {
      const pauseMs = await look();
      if (isStopping) break;
      await new Promise<void>((resolve) => {
        endPause = resolve;
        // A timer may fire a moment early, and would then look twice.
        setTimeout(resolve, pauseMs + 1);
      });
    }
  })();
  return {
    async stop() {
      isStopping = true;
      endPause();
      await loop;
    },
  };
}
