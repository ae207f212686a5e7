import type { App } from "../app.ts";
import { sendsMail } from "../mail/queue-email.ts";
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
 * Keeps the schedule, in any number of processes: looks every half second, and at the very moment when the next
 * campaign is due. All by the database's clock.
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
