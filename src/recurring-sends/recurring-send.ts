import { z } from "zod";
import type { Reason } from "../decision/checks/check.ts";
import { faults, zodText } from "../faults.ts";
import { expects, flag, uuid, wholeNumber } from "../input.ts";
import { timeOfDay } from "../tenants/sites/site.ts";

/** The most recurring sends of one site. */
export const maxRecurringSends = 20;

/** An occurrence that is this many minutes late is missed, so that the morning's story is not sent at noon. */
export const lateMinutes = 60;

/** The most days of a recurring send. */
export const maxWeekdays = 7;

const fields = {
  days: z
    .array(wholeNumber(1, maxWeekdays), expects("a list"))
    .min(1, zodText(faults.empty()))
    .max(maxWeekdays, zodText(faults.too_large({ most: maxWeekdays })))
    .transform((days) => [...new Set(days)].sort((a, b) => a - b)),
  time: timeOfDay,
  feedId: uuid.optional(),
  topicId: uuid.optional(),
  enabled: flag,
};

/** The input of a new recurring send. */
export const newRecurringSend = z.strictObject(
  { ...fields, enabled: fields.enabled.default(true) },
  expects("a JSON object"),
);

/** The input of a change. Absent fields stay; a new source takes the place of the old one. */
export const recurringSendChange = z.strictObject(fields, expects("a JSON object")).partial();

/**
 * The outcome of an occurrence. `sent`: the story was sent. `nothing_new`: the source had no unsent story. `skipped`:
 * the decision was against the story. `refused`: a gate was shut, or the send was refused for another reason.
 * `missed`: the service was not running in time.
 */
export type Outcome = "sent" | "nothing_new" | "skipped" | "refused" | "missed";

/** A recurring send as stored. One of `feedId` and `topicId` is its source. */
export type RecurringSendRecord = {
  id: string;
  siteId: string;
  days: number[];
  time: string;
  feedId: string | null;
  topicId: string | null;
  /** The title of the feed, or its address without https:// if it has no title, or the name of the topic. */
  sourceName: string;
  /** Whether the feed is switched off or the topic is retired, so that no new story comes. */
  isSourceOff: boolean;
  enabled: boolean;
  nextDay: string | null;
  nextAt: Date | null;
  createdAt: Date;
};

/** A past occurrence, as stored. `url`, `title`: of its story; null if there was none. */
export type OccurrenceRecord = {
  recurringSendId: string;
  day: string;
  dueAt: Date;
  outcome: Outcome;
  reasons: Reason[];
  url: string | null;
  title: string | null;
  campaignId: string | null;
};

/** A recurring send as callers see it. Times: ISO 8601, UTC. `nextAt`: null if it is off. */
export type RecurringSend = ReturnType<typeof viewRecurringSend>;

export function viewRecurringSend({ id: recurringSendId, nextDay: _, ...record }: RecurringSendRecord) {
  const { enabled, nextAt, createdAt } = record;
  return {
    recurringSendId,
    ...record,
    nextAt: enabled ? (nextAt?.toISOString() ?? null) : null,
    createdAt: createdAt.toISOString(),
  };
}

/** An occurrence of a month, past or future. `outcome` null: it is in the future. `at`: ISO 8601, UTC. */
export type OccurrenceView = Omit<OccurrenceRecord, "dueAt" | "outcome"> & { at: string; outcome: Outcome | null };
