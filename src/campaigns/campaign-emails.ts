import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import type { Tx } from "../db/pool.ts";
import { queueEmail, sendsMail } from "../mail/queue-email.ts";
import type { CampaignRecord, Failure } from "./campaign.ts";
import { peopleOfCampaign } from "./queries.ts";

/** Tells the owners, and the author if that is a member, why a scheduled campaign did not go out. */
export async function emailAboutFailure(app: App, tx: Tx, campaign: CampaignRecord, failure: Failure): Promise<void> {
  const missed = failure.code === "missed";
  await tellPeople(app, tx, campaign, {
    subject: missed ? "A scheduled nudge was missed" : "A scheduled nudge did not go out",
    lines: [
      `${titleOf(campaign)} did not go out ${whenOf(campaign)}.`,
      failure.message,
      "Nobody got it. Look at it here, and send it anew if it is still news:",
    ],
  });
}

/** Tells the same people that a pause holds a campaign that is due. */
export async function emailAboutHold(app: App, tx: Tx, campaign: CampaignRecord): Promise<void> {
  await tellPeople(app, tx, campaign, {
    subject: "A scheduled nudge is held by a pause",
    lines: [
      `${titleOf(campaign)} was to go out ${whenOf(campaign)}, and sends are paused.`,
      `It goes out by itself when the pause is lifted within ${app.config.GRACE_MINUTES} minutes of that time, and fails after that.`,
      "Look at it here:",
    ],
  });
}

/** Asks those who may: one of them has to confirm a send. */
export async function emailAboutRequest(
  app: App,
  tx: Tx,
  campaign: CampaignRecord,
  { others, audience }: { others: string[]; audience: number },
): Promise<void> {
  await tellPeople(app, tx, campaign, {
    to: others,
    subject: "A nudge waits for a second person",
    lines: [
      `${titleOf(campaign)} is to go to ${audience.toLocaleString("en")} people, and wants a second person’s yes.`,
      "Look at it, and approve or refuse it here:",
    ],
  });
}

/** `to`: whom to write; absent: the people of the campaign. */
async function tellPeople(
  app: App,
  tx: Tx,
  campaign: CampaignRecord,
  { to, subject, lines }: { to?: string[]; subject: string; lines: string[] },
): Promise<void> {
  if (!sendsMail(app)) return;
  const link = `${publicBase(app.config, "")}/sites/${campaign.siteId}/campaigns/${campaign.id}`;
  const text = `${[...lines, link].join("\n\n")}\n`;
  const people = to ?? (await peopleOfCampaign(tx, campaign));
  for (const one of people) await queueEmail(app, tx, { to: one, subject, text });
}

/** A title is a stranger's text: it stays within its quotation marks and its line. */
function titleOf({ title }: CampaignRecord): string {
  return `“${(title ?? "").replace(/[\p{Cc}\u2028\u2029]+/gu, " ")}”`;
}

function whenOf({ scheduledAt }: CampaignRecord): string {
  return `at ${scheduledAt!.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
