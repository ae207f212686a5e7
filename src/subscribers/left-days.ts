import { sql } from "kysely";

/**
 * The reason why a subscriber is no longer there. `deleted`: somebody else deleted it, and its reader did not leave.
 */
export type LeftReason = "unsubscribed" | "expired" | "not_seen" | "gone" | "deleted";

const parts = 16;

/**
 * Returns the text of a statement that counts the rows of `deleted` (`site_id`, `is_test`) on the current day of their
 * site. Use it in the statement that deletes the rows. It does not count test devices. It must be the last statement
 * of its transaction, because other transactions wait for the rows that it writes.
 */
export const countLeftText = (reason: LeftReason, deleted = "deleted") =>
  `insert into subscribers_left as l (site_id, day, reason, part, n)
    select d.site_id, (now() at time zone s.time_zone)::date, '${reason}', pg_backend_pid() % ${parts}, count(*)
    from ${deleted} d join sites s on s.id = d.site_id where not d.is_test group by 1, 2
    on conflict (site_id, day, reason, part) do update set n = l.n + excluded.n`;

/** Returns the same text for a query. */
export const countLeft = (reason: LeftReason, deleted?: string) => sql.raw(countLeftText(reason, deleted));
