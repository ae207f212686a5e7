import { sql } from "kysely";

/** Why a subscriber is not there any more. `deleted`: its reader did not leave. */
export type LeftReason = "unsubscribed" | "expired" | "not_seen" | "gone" | "deleted";

const parts = 16;

/**
 * The text of the statement that counts the rows of `deleted` (`site_id`, `is_test`), which the same statement deletes,
 * on the day of their site. Test devices are no readers. Let it be the last of its transaction: others wait for its rows.
 */
export const countLeftText = (reason: LeftReason, deleted = "deleted") =>
  `insert into subscribers_left as l (site_id, day, reason, part, n)
    select d.site_id, (now() at time zone s.time_zone)::date, '${reason}', pg_backend_pid() % ${parts}, count(*)
    from ${deleted} d join sites s on s.id = d.site_id where not d.is_test group by 1, 2
    on conflict (site_id, day, reason, part) do update set n = l.n + excluded.n`;

/** The same for a query. */
export const countLeft = (reason: LeftReason, deleted?: string) => sql.raw(countLeftText(reason, deleted));
