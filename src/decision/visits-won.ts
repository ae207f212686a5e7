import type { App } from "../app.ts";
import { effectOf, type Range } from "../holdouts/effect.ts";
import { holdoutDays } from "../holdouts/queries.ts";
import { periodDays } from "../runs/holdout.ts";
import { type CampaignClass, defaultClass } from "../tenants/sites/campaign-classes.ts";
import { ruleOfClass } from "../tenants/sites/queries.ts";

/** The fewest readers that must be left out. With fewer, the range would be guessed and not measured. */
const readersNeeded = 100;

/**
 * Returns the visits that the notifications of a class win (see StoryFacts). Returns null while the class leaves nobody
 * out, and before 100 readers were left out and the days of a period have passed.
 */
export async function readVisitsWon(
  { db }: Pick<App, "db">,
  { siteId, class: ofClass = defaultClass }: { siteId: string; class?: CampaignClass | undefined },
): Promise<Range | null> {
  const { holdoutPercent } = await ruleOfClass(db, { siteId, class: ofClass });
  if (holdoutPercent === 0) return null;
  const { days, heldOut, visits } = effectOf(ofClass, await holdoutDays(db, siteId, ofClass));
  return visits !== null && days >= periodDays && heldOut >= readersNeeded ? visits.difference : null;
}
