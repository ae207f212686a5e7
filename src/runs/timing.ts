import { sql } from "kysely";
import type { LocalTime } from "../local-time.ts";

/**
 * When the recipients of a run get it.
 * - `once`: as soon as they are planned.
 * - `localTime`: at an hour of the reader's local time, with a wave for each moment. `from`: when the campaign was
 *   due (ISO 8601), or null for the start of the run. Readers whose hour had passed by then get it immediately.
 * - `test`: a share (percent) gets one of the run's messages immediately. The others are a wave that opens when the
 *   headline test ends. The test ends after no more than `minutes` of its clock.
 */
export type Timing =
  | { at: "once" }
  | { at: "localTime"; hour: LocalTime; from: string | null }
  | { at: "test"; share: number; minutes: number };

export const atOnce: Timing = { at: "once" };

/** SQL condition: run `table` has local-time delivery, so it has no single hour. */
export const isAtLocalTime = (table: "r" | "runs") => sql.raw(`${table}.timing->>'at' = 'localTime'`);
