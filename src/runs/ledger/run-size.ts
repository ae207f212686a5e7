import { sql } from "kysely";

/**
 * The size of a run: the recipients of its message as far as they are known, and its batches as far as it is planned.
 */
export type RunSize = { recipientsOfRun: number; batchesOfRun: number };

/**
 * SQL: the columns of `RunSize` of a run `r`. Until the run is planned, the count of its send may be higher than its
 * first pages.
 */
export const sizeOfRun = sql`case when r.planned_at is null then greatest(r.expected_audience, r.planned_recipients)
    else r.planned_recipients end as "recipientsOfRun", r.planned_batches as "batchesOfRun"`;
