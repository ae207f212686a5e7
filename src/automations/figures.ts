import { type RawBuilder, sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";

/** What readers did with the runs of an automation. */
export type AutomationFigures = {
  accepted: number;
  displayed: number;
  clicked: number;
  /** The part of `clicked` in browsers that report displays. */
  clickedReporting: number;
  unsubscribed: number;
};

/**
 * Returns the sums of what readers did with the runs of a site in the last `days` days, by label. Leaves out labels
 * without runs. `isKind`: a condition on runs `r`.
 */
export function figuresByLabel(
  on: Executor,
  siteId: string,
  days: number,
  isKind: RawBuilder<unknown>,
): Promise<(AutomationFigures & { label: string | null })[]> {
  return rows(
    sql<AutomationFigures & { label: string | null }>`select r.label, coalesce(sum(c.accepted), 0)::bigint as accepted,
        coalesce(sum(h.displayed), 0)::bigint as displayed, coalesce(sum(h.clicked), 0)::bigint as clicked,
        coalesce(sum(h.clicked_reporting), 0)::bigint as "clickedReporting",
        coalesce(sum(h.unsubscribed), 0)::bigint as unsubscribed
      from runs r join run_sums c on c.site_id = r.site_id and c.run_id = r.id
        join notification_sums h on h.site_id = r.site_id and h.run_id = r.id
      where r.site_id = ${siteId} and ${isKind} and r.created_at > now() - make_interval(days => ${days})
      group by r.label order by r.label`,
    on,
  );
}
