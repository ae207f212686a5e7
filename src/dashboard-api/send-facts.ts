import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { authorsOfSend, type SendAuthor } from "../audit/queries.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { minutesOfRun, type PushServiceCounts, pushServicesOfRun, type Usual, usualOfSite } from "./send-queries.ts";

/** The actor who sent. `kind`: the kind of the actor. `name`: its present name; null if it is gone or has no name. */
export type Author = { kind: Actor["kind"]; name: string | null };

/** The facts of a send that a campaign's page shows besides the counts. */
export type SendFacts = {
  /** Null if the campaign is not sent, or was sent before the audit log begins. */
  sentBy: Author | null;
  /** Who set the time of the campaign, if the scheduler sent it or will send it. */
  scheduledBy: Author | null;
  /** The receipts of the first hours by the minute. They are kept for three days. */
  minutes: { minute: string; displayed: number; clicked: number }[];
  /** Null if there were too few sends before. */
  usual: Usual | null;
  /** The counts by push service, largest first. */
  pushServices: PushServiceCounts[];
};

/** The first hours of a send whose receipts are shown by the minute. */
const minutesForHours = 3;
/** The fewest earlier sends that `usual` needs. */
const fewestForUsual = 3;

/** Reads who sent a campaign, and how its readers react compared with the site's last sends. Throws `not_found`. */
export async function readSendFacts(app: App, actor: Actor, input: { campaignId: string }): Promise<SendFacts> {
  const { campaignId, siteId, runId } = await readCampaign(app, actor, input);
  const authors = await authorsOfSend(app.db, actor.tenantId, campaignId);
  const author = (event: SendAuthor["event"]) => viewAuthor(authors.find((found) => found.event === event));
  const sentBy = author("campaign.sent");
  const bySchedule = sentBy === null || sentBy.kind === "schedule";
  const by = { sentBy, scheduledBy: bySchedule ? author("campaign.scheduled") : null };
  if (runId === null) return { ...by, minutes: [], usual: null, pushServices: [] };
  const run = { siteId, runId };
  const minutes = await minutesOfRun(app.db, run, minutesForHours);
  const usual = await usualOfSite(app.db, run);
  return {
    ...by,
    minutes: minutes.map(({ minute, ...counts }) => ({ minute: minute.toISOString(), ...counts })),
    usual: usual.runs < fewestForUsual ? null : usual,
    pushServices: await pushServicesOfRun(app.db, run),
  };
}

function viewAuthor(author: SendAuthor | undefined): Author | null {
  if (author === undefined) return null;
  return { kind: author.actor.split(":")[0] as Actor["kind"], name: author.actorLabel };
}
