import { z } from "zod";
import type { Member } from "../actor.ts";
import type { App } from "../app.ts";
import { faults, zodText } from "../faults.ts";
import { expects, parseInput } from "../input.ts";
import { beginSend, type UndoWindow, undoSend } from "../sends/undo-window.ts";
import { type AtSite, atEachSite } from "./campaigns-of-group.ts";

/** `updatedAt`: the latest `updatedAt` of the campaigns that the member has seen. */
const beginInput = z.strictObject(
  { updatedAt: z.iso.datetime({ error: zodText(faults.not_a_time()) }).optional() },
  expects("a JSON object"),
);

/** The result at each site when a group's sends were begun or undone. */
export type UndoWindowsOfGroup = { sites: AtSite<UndoWindow>[] };

/**
 * Begins the send of each campaign of a group, as `beginSend` does. A member can undo the sends for ten seconds. With
 * `updatedAt`, a campaign that was changed later is refused. If a site refuses, the others still begin. Throws
 * `not_found` and `validation_failed`.
 */
export async function beginGroupSend(
  app: App,
  actor: Member,
  input: { groupId: string; body: unknown },
): Promise<UndoWindowsOfGroup> {
  const { updatedAt } = parseInput(beginInput, input.body);
  const sites = await atEachSite(app, actor, input.groupId, ({ id: campaignId, updatedAt: changedAt }) => {
    const isSeen = updatedAt === undefined || changedAt.getTime() <= Date.parse(updatedAt);
    return beginSend(app, actor, { campaignId, body: { updatedAt: isSeen ? changedAt.toISOString() : updatedAt } });
  });
  return { sites };
}

/** Undoes each send of a group that the member has begun, as `undoSend` undoes one. Throws `not_found`. */
export async function undoGroupSend(app: App, actor: Member, input: { groupId: string }): Promise<UndoWindowsOfGroup> {
  const undo = ({ id: campaignId }: { id: string }) => undoSend(app, actor, { campaignId });
  return { sites: await atEachSite(app, actor, input.groupId, undo) };
}
