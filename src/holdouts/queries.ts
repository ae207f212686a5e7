import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";
import type { HoldoutDay } from "./effect.ts";

/** Reads the counted days of a site, or of one of its classes, the newest first. */
export async function holdoutDays(on: Executor, siteId: string, ofClass?: CampaignClass): Promise<HoldoutDay[]> {
  const found = await rows(
    sql<
      Omit<HoldoutDay, "heldOut" | "others"> &
        Record<"heldReaders" | "readers", number> &
        Record<"heldCame" | "came", number | null>
    >`
      select class, to_char(starts_on, 'YYYY-MM-DD') as "startsOn", percent, day - starts_on as age,
        held_readers as "heldReaders", held_came as "heldCame", other_readers as readers, other_came as came
      from holdout_days where site_id = ${siteId} and class = coalesce(${ofClass ?? null}, class)
      order by day desc, starts_on desc, class, percent`,
    on,
  );
  return found.map(({ heldReaders, heldCame, readers, came, ...of }) => ({
    ...of,
    heldOut: { readers: heldReaders, came: heldCame },
    others: { readers, came },
  }));
}
