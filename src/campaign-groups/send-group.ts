import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { requestStop } from "../runs/stop-run.ts";
import type { SendResult } from "../sends/commit-send.ts";
import { sendCampaign } from "../sends/send-campaign.ts";
import { type AtSite, atEachSite } from "./campaigns-of-group.ts";
import { type GroupView, readGroup } from "./read-group.ts";

/** The result of a group's send, at each site. */
export type SentGroup = { groupId: string; sites: AtSite<SendResult>[] };

/**
 * Sends each campaign of a group live, as `sendCampaign` does. If a site refuses, the others still send. A second call
 * sends only the unsent campaigns. With the same Idempotency-Key, it returns the sent ones as replays. Throws
 * `not_found`.
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
 * Stops each open run of a group, as `stopRun` does, and returns the group. If a run cannot be stopped, the others
 * still stop. Stopping twice gives the same answer. Throws `not_found`. Throws the first failure after it has tried
 * all runs.
 */
export async function stopGroup(app: App, actor: Actor, input: { groupId: string }): Promise<GroupView> {
  const sites = await atEachSite(app, actor, input.groupId, async ({ runId, shownStatus }) => {
    if (runId !== null && shownStatus === "sending") await requestStop(app, actor, runId);
  });
  // A run that has ended meanwhile is no failure.
  const failed = sites.find(({ error }) => error !== null && error.code !== "illegal_transition");
  if (failed?.error) throw appError(failed.error.code, failed.error);
  return readGroup(app, actor, input);
}
