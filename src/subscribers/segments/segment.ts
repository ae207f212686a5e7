import { z } from "zod";
import { isId } from "../../ids.ts";
import { expects, uuid, wholeNumber } from "../../input.ts";
import { pushServicesOf } from "../push-service.ts";

/** The segment that something goes to. Empty: all readers. */
export const segmentChoice = z
  .string("must be a UUID, or empty for all readers")
  .refine((value) => value === "" || isId(value), "must be a UUID, or empty for all readers")
  .transform((value) => value.toLowerCase());

const maxDays = 3_650;
const maxTopics = 100;

const days = wholeNumber(1, maxDays).optional();
const topicIds = z
  .array(uuid, "must be a list of topic ids")
  .min(1, "must not be empty")
  .max(maxTopics, `must have at most ${maxTopics} topics`)
  .transform((ids) => [...new Set(ids)])
  .optional();

/** A lower bound of days that has to be above an upper one: otherwise no reader has both. */
const ranges = [
  ["subscribedWithinDays", "subscribedBeforeDays"],
  ["seenWithinDays", "notSeenForDays"],
  ["clickedWithinDays", "notClickedForDays"],
] as const;

/** The schema of a rule. `pushServices`: the origins of PUSH_SERVICES, beside the known push services. */
export function segmentRule(pushServices: readonly string[]) {
  const names = pushServicesOf(pushServices);
  return z
    .strictObject(
      {
        subscribedWithinDays: days,
        subscribedBeforeDays: days,
        seenWithinDays: days,
        notSeenForDays: days,
        clickedWithinDays: days,
        notClickedForDays: days,
        topics: z.strictObject({ any: topicIds, all: topicIds, none: topicIds }, expects("a JSON object")).optional(),
        pushServices: z
          .array(z.enum(names, `must be one of ${names.join(", ")}`), "must be a list")
          .min(1, "must not be empty")
          .transform((chosen) => [...new Set(chosen)])
          .optional(),
      },
      expects("a JSON object"),
    )
    .check(({ value: rule, issues }) => {
      if (issues.length === 0 && !hasCondition(rule))
        issues.push({ code: "custom", input: rule, message: "must have at least one condition" });
      for (const [within, before] of ranges) {
        const [most, least] = [rule[within], rule[before]];
        if (most === undefined || least === undefined || most > least) continue;
        const message = `must be more days than ${before}: no reader has both`;
        issues.push({ code: "custom", input: most, path: [within], message });
      }
    });
}

/**
 * What the readers of a segment have in common; all conditions hold. Days are those of UTC, today is the first. Before,
 * not seen and not clicked are only of readers who are subscribed for as long. `topics`: any of them, all of them, none
 * of them. `pushServices`: names.
 */
export type SegmentRule = z.output<ReturnType<typeof segmentRule>>;

function hasCondition({ topics, ...others }: SegmentRule): boolean {
  return [...Object.values(others), ...Object.values(topics ?? {})].some((condition) => condition !== undefined);
}

/** Whether a rule asks who has clicked. */
export function asksForClicks({ clickedWithinDays, notClickedForDays }: SegmentRule): boolean {
  return clickedWithinDays !== undefined || notClickedForDays !== undefined;
}

/** Each topic that a rule names, with its place there as a path. */
export function topicsOfRule({ topics = {} }: SegmentRule): { path: string; topicId: string }[] {
  return Object.entries(topics).flatMap(([name, ids = []]) =>
    ids.map((topicId, at) => ({ path: `/topics/${name}/${at}`, topicId })),
  );
}

/**
 * A segment at one moment, with dates (YYYY-MM-DD, UTC) in place of days: a run has it, so that no later page, change
 * or day makes it another. `…After`: on a later day. `subscribedUntil`: on this day or before. `notSeenAfter` and
 * `notClickedAfter`: not on a later day. `isEmpty`: what it asks for is not known of any reader.
 */
export type FrozenSegment =
  | ({
      subscribedAfter?: string;
      subscribedUntil?: string;
      seenAfter?: string;
      notSeenAfter?: string;
      clickedAfter?: string;
      notClickedAfter?: string;
    } & Pick<SegmentRule, "topics" | "pushServices">)
  | { isEmpty: true };

/**
 * What freezing needs to know. `today`: YYYY-MM-DD, UTC. `countsClicks`: the site knows who clicks, and has known it
 * since `clicksKnownFrom`.
 */
export type FreezeFacts = { today: string; countsClicks: boolean; clicksKnownFrom: string };

/**
 * Freezes a rule at a moment. Of a site that does not know who clicks no reader has clicked, nor not clicked; who has
 * not clicked for a month is not known either before clicks are known for a month.
 */
export function freezeRule(rule: SegmentRule, { today, countsClicks, clicksKnownFrom }: FreezeFacts): FrozenSegment {
  if (asksForClicks(rule) && !countsClicks) return { isEmpty: true };
  const before = (count: number) => daysBefore(today, count);
  const since = [rule.subscribedBeforeDays, rule.notSeenForDays, rule.notClickedForDays];
  const longest = Math.max(...since.map((count = 0) => count));
  if (rule.notClickedForDays !== undefined && clicksKnownFrom > before(rule.notClickedForDays))
    return { isEmpty: true };
  const dates: [keyof Extract<FrozenSegment, { seenAfter?: string }>, number | undefined][] = [
    ["subscribedAfter", rule.subscribedWithinDays],
    ["subscribedUntil", longest || undefined],
    ["seenAfter", rule.seenWithinDays],
    ["notSeenAfter", rule.notSeenForDays],
    ["clickedAfter", rule.clickedWithinDays],
    ["notClickedAfter", rule.notClickedForDays],
  ];
  const given = dates.flatMap(([name, count]) => (count === undefined ? [] : [[name, before(count)]]));
  const { topics, pushServices } = rule;
  return { ...Object.fromEntries(given), ...(topics && { topics }), ...(pushServices && { pushServices }) };
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}
