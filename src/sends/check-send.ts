import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type CampaignAudience, readAudience } from "../campaigns/audience.ts";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { refusalOfForgotten } from "../campaigns/correction.ts";
import type { Tx } from "../db/pool.ts";
import type { AppError } from "../errors.ts";
import type { CapCount } from "./cap-count.ts";
import { checkGates } from "./check-gates.ts";

/**
 * A send as it was checked. `to`: its audience. `audience`: how many they are, counted as checkGates counts them.
 * `shut`: the refusals of the shut gates. `forgotten`: that of a correction whose readers are not stored any more.
 */
export type CheckedSend = {
  to: CampaignAudience;
  audience: number;
  shut: AppError[];
  forgotten: AppError | undefined;
};

/** A campaign that the caller has locked, who sends it, and what was counted before the lock (withCountedCampaign). */
export type LockedSend = { actor: Actor; campaign: CampaignRecord; capCount: CapCount | undefined };

/**
 * Checks a send by the facts of this moment: every way to send begins here. `atMs`: when it is to start, in ms since
 * 1970; absent: now. Refuses nothing itself.
 */
export async function checkSend(
  app: App,
  tx: Tx,
  { campaign, capCount }: Pick<LockedSend, "campaign" | "capCount">,
  atMs?: number,
): Promise<CheckedSend> {
  const to = await readAudience(tx, campaign);
  const { refusals: shut, audience } = await checkGates(app, tx, to, { capCount, campaign });
  return { to, audience, shut, forgotten: refusalOfForgotten(app, to.corrected, atMs) };
}

/** Throws what refuses a send at once: the first shut gate. */
export function assertOpen({ shut }: CheckedSend): void {
  if (shut[0] !== undefined) throw shut[0];
}

/** Throws `readers_forgotten` for a correction whose readers are not stored any more. */
export function assertKnown({ forgotten }: CheckedSend): void {
  if (forgotten !== undefined) throw forgotten;
}
