import { sql } from "kysely";
import type { LocalTime } from "../local-time.ts";

/**
 * When the recipients of a run get it. `once`: as soon as they are planned. `localTime`: at an hour where each reader
 * is, a wave for each moment. `from`: when the campaign was due (ISO 8601); readers whose hour had passed by then get
 * it at once. Null: when the run starts. `test`: a share (percent) at once, with one of the run's messages each; the
 * others are a wave that opens when the headline test ends, after so many minutes of its clock at the latest.
 */
export type Timing =
  | { at: "once" }
  | { at: "localTime"; hour: LocalTime; from: string | null }
  | { at: "test"; share: number; minutes: number };

export const atOnce: Timing = { at: "once" };

/** SQL condition: run `table` goes out at a local time. It has no one hour. */
export const isAtLocalTime = (table: "r" | "runs") => sql.raw(`${table}.timing->>'at' = 'localTime'`);
