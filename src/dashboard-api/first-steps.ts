import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";

/**
 * The steps of a new site up to its first notification. The service knows whether each is done. No person ticks them
 * off.
 */
export type FirstSteps = {
  /** The script is on the site: a check has found it, or pages have reported visits or readers. */
  line: boolean;
  /** The worker file is on the site: a check has found it, or a browser has subscribed with it. */
  worker: boolean;
  testDevice: boolean;
  /** A reader has subscribed or was imported. */
  reader: boolean;
  /** A notification was sent to readers. */
  notification: boolean;
};

/** Reads the first steps of a site. The site must exist. */
export async function readFirstSteps(on: Executor, siteId: string): Promise<FirstSteps> {
  const steps = await row(
    sql<FirstSteps>`select s.line_found or subscribed.here or exists (
          select from site_days d where d.site_id = s.id and d.visits + d.prompted + d.asked > 0) as line,
        s.worker_found or subscribed.here as worker,
        exists (select from subscribers d where d.site_id = s.id and d.is_test) as "testDevice",
        exists (select from subscribers_joined j where j.site_id = s.id) as reader,
        exists (select from runs r where r.site_id = s.id and ${sendsCampaign("r")}) as notification
      from sites s, lateral (
        select exists (select from subscribers_joined j where j.site_id = s.id and j.registered) as here) subscribed
      where s.id = ${siteId}`,
    on,
  );
  return steps!;
}
