import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { authorsOfSend, type SendAuthor } from "../audit/queries.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { minutesOfRun, type PushServiceCounts, pushServicesOfRun, type Usual, usualOfSite } from "./send-queries.ts";

/** Who sent: the kind of the actor and its present name; null where it is gone, or has no name. */
export type Author = { kind: Actor["kind"]; name: string | null };

/** What a campaign's page says of its send beside the counts. */
export type SendFacts = {
  /** Null: it is not sent, or longer ago than the audit log reaches. */
  sentBy: Author | null;
  /** Who gave it its time, where the scheduler sent it or will. */
  scheduledBy: Author | null;
  /** The receipts of the first hours by the minute, for three days. */
  minutes: { minute: string; displayed: number; clicked: number }[];
  /** Null: too few sends before. */
  usual: Usual | null;
  /** By push service, the largest first. */
  pushServices: PushServiceCounts[];
};

/** How long after a send its receipts are shown by the minute. */
const minutesForHours = 3;
/** Of fewer sends nothing is usual. */
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
