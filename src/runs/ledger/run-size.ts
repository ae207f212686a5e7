import { sql } from "kysely";

/** The size of a run: the recipients and batches that are known so far. Both grow while the run is planned. */
export type RunSize = { recipientsOfRun: number; batchesOfRun: number };

/**
 * SQL: the columns of `RunSize` of a run `r`. Until the run is planned, its recipients are at least the count of its
 * send, because its first pages may have fewer.
 */
export const sizeOfRun = sql`case when r.planned_at is null then greatest(r.expected_audience, r.planned_recipients)
    else r.planned_recipients end as "recipientsOfRun", r.planned_batches as "batchesOfRun"`;
