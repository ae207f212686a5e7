import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { requestStop } from "../runs/stop-run.ts";
import type { SendResult } from "../sends/commit-send.ts";
import { sendCampaign } from "../sends/send-campaign.ts";
import { type AtSite, atEachSite } from "./campaigns-of-group.ts";
import { type GroupView, readGroup } from "./read-group.ts";

/** What became of a send of a group, at each site. */
export type SentGroup = { groupId: string; sites: AtSite<SendResult>[] };

/**
 * Sends each campaign of a group live, as `sendCampaign` sends one. A site that refuses does not hold back the others.
 * A second call sends only unsent campaigns; with the same Idempotency-Key, sent ones are replays. Throws `not_found`.
 */
export async function sendGroup(
  app: App,
  actor: Actor,
  { groupId, idempotencyKey }: { groupId: string; idempotencyKey: string | null },
): Promise<SentGroup> {
  const sites = await atEachSite(app, actor, groupId, ({ id: campaignId }) =>
    sendCampaign(app, actor, { campaignId, idempotencyKey }),
  );
  return { groupId: groupId.toLowerCase(), sites };
}

/**
 * Stops each run of a group that is still open, as `stopRun` stops one, and returns the group. A run that cannot be
 * stopped does not hold back the others. Stopping twice gives the same answer. Throws `not_found`, and the first
 * failure after it has tried all.
 */
export async function stopGroup(app: App, actor: Actor, input: { groupId: string }): Promise<GroupView> {
  const sites = await atEachSite(app, actor, input.groupId, async ({ runId, shownStatus }) => {
    if (runId !== null && shownStatus === "sending") await requestStop(app, actor, runId);
  });
  // A run may have ended meanwhile.
  const failed = sites.find(({ error }) => error !== null && error.code !== "illegal_transition");
  if (failed?.error) throw appError(failed.error.code, failed.error);
  return readGroup(app, actor, input);
}
