import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { FieldFault } from "../../errors.ts";
import { faults, zodText } from "../../faults.ts";
import { isId } from "../../ids.ts";
import { expects } from "../../input.ts";
import { type Condition, conditions, type FreezeFacts, ranges, wasHereAfter } from "./conditions.ts";

/** The segment that a notification goes to. Empty: all readers. */
export const segmentChoice = z
  .string(zodText(faults.not_a_segment_choice()))
  .refine((value) => value === "" || isId(value), zodText(faults.not_a_segment_choice()))
  .transform((value) => value.toLowerCase());

type Conditions = typeof conditions;
type Name = keyof Conditions;
type Given = { [N in Name]: Conditions[N] extends Condition<infer G, infer _> ? G : never };
type Frozen = { [N in Name]: Conditions[N] extends Condition<infer _, infer F> ? F : never };

/** The rule of a segment: conditions that its readers all meet. */
export type SegmentRule = { [N in Name]?: Given[N] | undefined };

/**
 * A segment at one moment, with its conditions frozen: a number of days becomes a day (YYYY-MM-DD, UTC). A run keeps
 * it, so that no later page, change or day changes it. `isEmpty`: no reader is known to meet the conditions.
 * `hereAfter`: only readers who were seen or subscribed after this day. No rule sets it.
 */
export type FrozenSegment = ({ [N in Name]?: Frozen[N] | undefined } & { hereAfter?: string }) | { isEmpty: true };

const byName: { [N in Name]: Condition<Given[N], Frozen[N]> } = conditions;
const names = Object.keys(conditions) as Name[];

/**
 * Returns the schema of a rule. `pushServices`: the origins of PUSH_SERVICES, in addition to the known push services.
 */
export function segmentRule(pushServices: readonly string[]): z.ZodType<SegmentRule> {
  const schemas = names.map((name) => [name, byName[name].schema(pushServices).optional()]);
  const shape: { [N in Name]: z.ZodOptional<z.ZodType<Given[N]>> } = Object.fromEntries(schemas);
  return z.strictObject(shape, expects("a JSON object")).check(({ value: rule, issues }) => {
    if (issues.length === 0 && !names.some((name) => says(rule[name])))
      issues.push({ code: "custom", input: rule, message: zodText(faults.no_condition()) });
    for (const [within, before] of ranges) {
      const [most, least] = [rule[within], rule[before]];
      if (most === undefined || least === undefined || most > least) continue;
      const message = zodText(faults.no_reader_has_both({ before }));
      issues.push({ code: "custom", input: most, path: [within], message });
    }
  });
}

/** Returns whether a condition says anything. An object without members does not. */
function says(given: unknown): boolean {
  return typeof given === "object" ? Object.keys(given!).length > 0 : given !== undefined;
}

/** Returns whether a rule asks who has clicked. */
export function asksForClicks(rule: SegmentRule): boolean {
  return names.some((name) => byName[name].asksForClicks && says(rule[name]));
}

/** Returns the topics that a rule names, each with its place in the rule as a path. */
export function topicsOfRule(rule: SegmentRule): { path: string; topicId: string }[] {
  return names.flatMap((name) => topicsOf(name, rule[name]));
}

function topicsOf<N extends Name>(name: N, given: Given[N] | undefined) {
  const topics = given === undefined ? [] : (byName[name].topicsIn?.(given) ?? []);
  return topics.map(({ path, topicId }) => ({ path: `/${name}${path}`, topicId }));
}

/** Returns a fault for each fact in a rule that the site lacks, with its path in the rule. Topics: `topicsOfRule`. */
export function unfitFor(rule: SegmentRule, site: Pick<FreezeFacts, "facts">): FieldFault[] {
  return names.flatMap((name) => unfitOf(name, rule[name], site));
}

function unfitOf<N extends Name>(name: N, given: Given[N] | undefined, site: Pick<FreezeFacts, "facts">) {
  const wrong = given === undefined ? [] : (byName[name].unfit?.(given, site) ?? []);
  return wrong.map((one) => ({ ...one, path: `/${name}${one.path}` }));
}

/**
 * Freezes a rule at a moment. At a site that does not know who clicks, no reader is known to have clicked or not to
 * have clicked.
 */
export function freezeRule(rule: SegmentRule, facts: FreezeFacts): FrozenSegment {
  if (asksForClicks(rule) && !facts.countsClicks) return { isEmpty: true };
  const frozen = names.filter((name) => says(rule[name])).map((name) => [name, freeze(name, rule[name]!, facts)]);
  return frozen.some(([, value]) => value === null) ? { isEmpty: true } : Object.fromEntries(frozen);
}

function freeze<N extends Name>(name: N, given: Given[N], facts: FreezeFacts): Frozen[N] | null {
  return byName[name].freeze(given, facts);
}

/** SQL condition: subscriber `s` is in the segment. */
export function isInSegment(segment: FrozenSegment): RawBuilder<unknown> {
  if ("isEmpty" in segment) return sql`false`;
  const met = names.flatMap((name) => (segment[name] === undefined ? [] : [isMet(name, segment[name])]));
  return sql.join(segment.hereAfter === undefined ? met : [...met, wasHereAfter(segment.hereAfter)], sql` and `);
}

function isMet<N extends Name>(name: N, frozen: Frozen[N]): RawBuilder<unknown> {
  return sql`(${byName[name].isMet(frozen)})`;
}
