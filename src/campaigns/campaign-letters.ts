import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import type { Letter } from "../egress/smtp.ts";
import { postLetter, sendsMail } from "../mail/post-letter.ts";
import { publicBase } from "../public-base.ts";
import type { CampaignRecord, Failure } from "./campaign.ts";
import { peopleOfCampaign } from "./queries.ts";

/** Tells the owners, and the author if that is a member, why a scheduled campaign did not go out. */
export async function tellOfFailure(app: App, tx: Tx, campaign: CampaignRecord, failure: Failure): Promise<void> {
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
export async function tellOfHold(app: App, tx: Tx, campaign: CampaignRecord): Promise<void> {
  await tellPeople(app, tx, campaign, {
    subject: "A scheduled nudge is held by a pause",
    lines: [
      `${titleOf(campaign)} was to go out ${whenOf(campaign)}, and sends are paused.`,
      `It goes out by itself when the pause is lifted within ${app.config.GRACE_MINUTES} minutes of that time, and fails after that.`,
      "Look at it here:",
    ],
  });
}

async function tellPeople(
  app: App,
  tx: Tx,
  campaign: CampaignRecord,
  { subject, lines }: { subject: string; lines: string[] },
): Promise<void> {
  if (!sendsMail(app)) return;
  const link = `${publicBase(app.config, "")}/sites/${campaign.siteId}/campaigns/${campaign.id}`;
  const text = `${[...lines, link].join("\n\n")}\n`;
  for (const to of await peopleOfCampaign(tx, campaign))
    await postLetter(app, tx, { to, subject, text } satisfies Letter);
}

/** A title is a stranger's text: it stays within its quotation marks and its line. */
function titleOf({ title }: CampaignRecord): string {
  return `“${(title ?? "").replace(/[\p{Cc}\u2028\u2029]+/gu, " ")}”`;
}

function whenOf({ scheduledAt }: CampaignRecord): string {
  return `at ${scheduledAt!.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
