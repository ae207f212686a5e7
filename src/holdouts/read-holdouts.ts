import type { App } from "../app.ts";
import { campaignClasses, classRulesOf } from "../tenants/sites/campaign-classes.ts";
import type { Site } from "../tenants/sites/site.ts";
import { effectOf, type HoldoutEffect } from "./effect.ts";
import { holdoutDays } from "./queries.ts";

/** What a site gains and loses by notifications, for each class that has or had a holdout. */
export type HoldoutsView = { siteId: string; classes: HoldoutEffect[] };

/** Reads the effects of a site's classes in the last 400 days. */
export async function readHoldouts({ db }: Pick<App, "db">, site: Pick<Site, "id" | "classes">): Promise<HoldoutsView> {
  const days = await holdoutDays(db, site.id);
  const rules = classRulesOf(site.classes);
  const classes = campaignClasses
    .filter((name) => rules[name].holdoutPercent > 0 || days.some((day) => day.class === name))
    .map((name) =>
      effectOf(
        name,
        days.filter((day) => day.class === name),
      ),
    );
  return { siteId: site.id, classes };
}
