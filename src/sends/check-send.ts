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
 * A checked send. `to`: its audience. `audience`: the number of recipients, counted as checkGates counts them. `shut`:
 * the refusals of the shut gates. `forgotten`: the refusal of a correction whose readers are no longer stored.
 */
export type CheckedSend = {
  to: CampaignAudience;
  audience: number;
  shut: AppError[];
  forgotten: AppError | undefined;
};

/** A campaign that the caller has locked, its sender, and the count from before the lock (withCountedCampaign). */
export type LockedSend = { actor: Actor; campaign: CampaignRecord; capCount: CapCount | undefined };

/**
 * Checks a send by the facts of this moment. Every way to send begins here. `atMs`: when the send will start, in ms
 * since 1970; by default now. Returns refusals and does not throw them.
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

/** Throws the refusal of the first shut gate, for a send that starts now. */
export function assertOpen({ shut }: CheckedSend): void {
  if (shut[0] !== undefined) throw shut[0];
}

/** Throws `readers_forgotten` for a correction whose readers are no longer stored. */
export function assertKnown({ forgotten }: CheckedSend): void {
  if (forgotten !== undefined) throw forgotten;
}
