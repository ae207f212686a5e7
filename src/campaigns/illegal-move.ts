import { type AppError, appError } from "../errors.ts";
import type { CampaignRecord } from "./campaign.ts";
import { type CampaignStatus, shownMoves } from "./states.ts";

/** The refusal of a trigger in the state where the campaign is. `done` ends the sentence: "cannot be …". */
export function illegalMove(
  campaign: Pick<CampaignRecord, "shownStatus">,
  { to, done }: { to: CampaignStatus; done: string },
): AppError {
  const from = campaign.shownStatus;
  const message = `This campaign is ${from}, so it cannot be ${done}.`;
  return appError("illegal_transition", { message, from, to, allowed: shownMoves[from] });
}
