import { sql } from "kysely";

/**
 * How large a run is: the recipients that get its message, as far as they are known, and its batches, as far as it is
 * planned.
 */
export type RunSize = { recipientsOfRun: number; batchesOfRun: number };

/** SQL: the columns of `RunSize` of a run `r`. What the send has counted says more than the first pages of its plan. */
export const sizeOfRun = sql`case when r.planned_at is null then greatest(r.expected_audience, r.planned_recipients)
    else r.planned_recipients end as "recipientsOfRun", r.planned_batches as "batchesOfRun"`;
