import type { App } from "../app.ts";
import { sendsMail } from "../mail/queue-email.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { emailAboutHold } from "./campaign-emails.ts";
import { campaignOfTenant, type DueCampaign, dueCampaigns, nextDueInMs, takeUntoldHold } from "./queries.ts";
import { sendDueCampaign } from "./send-due-campaign.ts";

/** A campaign that is scheduled for the next moment is seen at the latest after this. */
const lookEveryMs = 500;

/** Many are due at the full hour: each is a short transaction, and they go out side by side. */
const sideBySide = 4;

/**
 * Sends what is due, once. What there is to do is read off the campaigns themselves, so a rescheduled or cancelled one
 * leaves nothing behind. A campaign that could not be judged is logged, and looked at again with the next call.
 */
export async function sendDueCampaigns(app: App): Promise<void> {
  const due = await dueCampaigns(app.db, app.config.GRACE_MINUTES);
  const sendNext = async () => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) await sendOne(app, next);
  };
  await Promise.all(Array.from({ length: Math.min(sideBySide, due.length) }, sendNext));
}

async function sendOne(app: App, { campaignId, tenantId }: DueCampaign): Promise<void> {
  try {
    const outcome = await sendDueCampaign(app, { kind: "schedule", tenantId }, { campaignId });
    if (outcome.kind === "sent") app.log.info({ campaignId, runId: outcome.runId }, "a scheduled campaign was sent");
    if (outcome.kind === "failed") app.log.warn({ campaignId, ...outcome.failure }, "a scheduled campaign failed");
  } catch (error) {
    app.log.error({ err: error, campaignId }, "a scheduled campaign could not be sent and will be tried again");
  }
}

/**
 * Writes of each campaign that is due and held by a pause, once for each time that it is due. Nothing where no e-mail is
 * sent.
 */
export async function emailAboutHolds(app: App): Promise<void> {
  while (sendsMail(app)) {
    const told = await app.db.transaction().execute(async (tx) => {
      const held = await takeUntoldHold(tx, app.config.GRACE_MINUTES);
      if (held !== undefined) await emailAboutHold(app, tx, (await campaignOfTenant(tx, held.tenantId, held.id))!);
      return held;
    });
    if (told === undefined) return;
  }
}

/**
 * Starts the scheduler; any number of processes may run one. It looks every 500 ms, and at the moment when the next
 * campaign is due. All times are of the database's clock.
 */
export function startScheduler(app: App): PollLoop {
  const round = async () => {
    await sendDueCampaigns(app);
    await emailAboutHolds(app);
    // A timer may fire up to 1 ms early: the round would find nothing due, and another would follow at once.
    return { pauseMs: Math.min(lookEveryMs, await nextDueInMs(app.db)) + 1 };
  };
  const onFault = (error: unknown) => app.log.warn({ err: error }, "the schedule could not be read; will retry");
  return startPollLoop({ round, everyMs: lookEveryMs, onFault });
}
