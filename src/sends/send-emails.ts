import type { App } from "../app.ts";
import type { CampaignRecord, Failure } from "../campaigns/campaign.ts";
import { peopleOfCampaign } from "../campaigns/queries.ts";
import { publicBase } from "../config.ts";
import type { Tx } from "../db/pool.ts";
import { queueEmail, sendsMail } from "../mail/queue-email.ts";
import type { DelayingGateCode } from "./gates.ts";

/**
 * Sends an e-mail to the owners, and to the author if that is a member, about why a scheduled campaign was not sent.
 */
export async function emailAboutFailure(app: App, tx: Tx, campaign: CampaignRecord, failure: Failure): Promise<void> {
  const missed = failure.code === "missed";
  await emailPeople(app, tx, campaign, {
    subject: missed ? "A scheduled notification was missed" : "A scheduled notification did not go out",
    lines: [
      `${titleOf(campaign)} did not go out ${whenOf(campaign)}.`,
      failure.message,
      "Nobody got it. Look at it here, and send it again if it is still news:",
    ],
  });
}

/** The text of the e-mail for each gate that delays a campaign. */
const delayTexts: Record<DelayingGateCode, { subject: string; cause: string; condition: string }> = {
  send_paused: {
    subject: "A scheduled notification is delayed by a pause",
    cause: "sends are paused",
    condition: "the pause is lifted",
  },
};

/**
 * Sends an e-mail to the owners, and to the author if that is a member, about a shut gate that delays a due campaign.
 */
export async function emailAboutDelay(
  app: App,
  tx: Tx,
  campaign: CampaignRecord,
  gate: DelayingGateCode,
): Promise<void> {
  const { subject, cause, condition } = delayTexts[gate];
  await emailPeople(app, tx, campaign, {
    subject,
    lines: [
      `${titleOf(campaign)} was to go out ${whenOf(campaign)}, and ${cause}.`,
      `It goes out by itself when ${condition} within ${app.config.GRACE_MINUTES} minutes of that time, and fails after that.`,
      "Look at it here:",
    ],
  });
}

/**
 * Sends an approval request by e-mail to `others`, the members who can approve it. `audience`: the number of
 * subscribers.
 */
export async function emailAboutRequest(
  app: App,
  tx: Tx,
  campaign: CampaignRecord,
  { others, audience }: { others: string[]; audience: number },
): Promise<void> {
  await emailPeople(app, tx, campaign, {
    to: others,
    subject: "A notification waits for a second person",
    lines: [
      `${titleOf(campaign)} is to go to ${audience.toLocaleString("en")} people, and wants a second person’s yes.`,
      "Look at it, and approve or refuse it here:",
    ],
  });
}

/**
 * Queues an e-mail. `to`: the addresses; absent: the owners, and the author if that is a member. Does nothing if the
 * installation sends no e-mails.
 */
async function emailPeople(
  app: App,
  tx: Tx,
  campaign: CampaignRecord,
  { to, subject, lines }: { to?: string[]; subject: string; lines: string[] },
): Promise<void> {
  if (!sendsMail(app)) return;
  const link = `${publicBase(app.config, "")}/sites/${campaign.siteId}/campaigns/${campaign.id}`;
  const text = `${[...lines, link].join("\n\n")}\n`;
  const addresses = to ?? (await peopleOfCampaign(tx, campaign));
  for (const address of addresses) await queueEmail(app, tx, { to: address, subject, text });
}

/** Returns the title on one line. It comes from outside and must not add lines to the e-mail. */
function titleOf({ title }: CampaignRecord): string {
  return `“${(title ?? "").replace(/[\p{Cc}\u2028\u2029]+/gu, " ")}”`;
}

function whenOf({ scheduledAt }: CampaignRecord): string {
  return `at ${scheduledAt!.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
