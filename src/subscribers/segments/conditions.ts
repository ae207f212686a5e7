import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { FieldFault } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { expects, oneOfMany, timeZone, uuid, wholeNumber } from "../../input.ts";
import { knownZone } from "../../local-time.ts";
import { type DeclaredFact, isDeclared, maxFacts, maxFactValues } from "../../tenants/sites/declared-facts.ts";
import { hasFacts } from "../facts/queries.ts";
import { hasAllTopics, hasTopic } from "../has-topic.ts";
import { languageOf } from "../language.ts";
import { pushServicesOf } from "../push-service.ts";
import { zoneOfSubscriber } from "../zone-queries.ts";

/**
 * The facts of a site by which a rule is frozen. `today`: YYYY-MM-DD, UTC. `countsClicks`: the site knows who clicks,
 * and has known it since `clicksKnownFrom`. `timeZone`: the site's own. `facts`: the facts that it declares.
 */
export type FreezeFacts = {
  today: string;
  countsClicks: boolean;
  clicksKnownFrom: string;
  timeZone: string;
  facts: DeclaredFact[];
};

/** SQL: the columns of `sites` for `FreezeFacts`. */
export const freezeFactsColumns = sql.raw(`(now() at time zone 'UTC')::date::text as today,
  sites.receipts = 'full' as "countsClicks", sites.clicks_known_from::text as "clicksKnownFrom",
  sites.time_zone as "timeZone", sites.facts`);

/** A condition of segments. `Given`: what a rule says. `Frozen`: what a run keeps of that, as JSON. */
export type Condition<Given, Frozen> = {
  /** The schema of what a rule says. `pushServices`: the origins of PUSH_SERVICES. */
  schema(pushServices: readonly string[]): z.ZodType<Given>;
  /**
   * Fixes the condition at a moment, so that no later day or change of the site changes it. Null: nobody is known to
   * meet it.
   */
  freeze(given: Given, facts: FreezeFacts): Frozen | null;
  /** SQL condition: subscriber `s` meets the condition. */
  isMet(frozen: Frozen): RawBuilder<unknown>;
  /** The condition asks who has clicked. Only a site that knows who clicks can use it. */
  asksForClicks?: true;
  /** Returns a fault for each part of the condition that the site lacks, with its place as a path. */
  unfit?(given: Given, site: { facts: DeclaredFact[] }): FieldFault[];
  /** Returns the topics that the condition names, each with its place as a path. The site must have them. */
  topicsIn?(given: Given): { path: string; topicId: string }[];
};

const maxDays = 3_650;
export const maxTopics = 100;
export const maxTimeZones = 100;
export const maxLanguages = 50;

const topicIds = z
  .array(uuid, zodText(faults.wrong_type({ type: "a list of topic ids" })))
  .min(1, zodText(faults.empty()))
  .max(maxTopics, zodText(faults.too_many_topics({ most: maxTopics })))
  .transform((ids) => [...new Set(ids)])
  .optional();

/**
 * The schema of a language. Refuses `de-AT`, because it would stand for all of `de`. `iw` becomes `he`, the form in
 * which browsers' languages are stored.
 */
const languageName = z
  .string(expects("a language"))
  .regex(/^[A-Za-z]{2,3}$/, zodText(faults.not_a_segment_language()))
  .transform((tag, context) => {
    const language = languageOf(tag);
    if (language !== undefined) return language;
    context.addIssue({ code: "custom", message: zodText(faults.not_a_segment_language()) });
    return z.NEVER;
  });

/**
 * The conditions of segments, by their names in a rule. To add a condition, add an entry here. Days are days of UTC,
 * and today is the first. "Not seen" or "not clicked" for a number of days requires that the reader was subscribed all
 * that time.
 */
export const conditions = {
  subscribedWithinDays: ofDays({ isMet: (day) => sql`s.created_at >= ${endOf(day)}` }),
  subscribedBeforeDays: ofDays({ isMet: subscribedUntil }),
  seenWithinDays: ofDays({ isMet: (day) => sql`s.seen_on > ${day}::date` }),
  notSeenForDays: ofDays({
    isMet: (day) => sql`${subscribedUntil(day)} and (s.seen_on is null or s.seen_on <= ${day}::date)`,
  }),
  clickedWithinDays: ofDays({ isMet: (day) => sql`s.clicked_on > ${day}::date`, asksForClicks: true }),
  /** A site knows who has not clicked for a month only after it has counted clicks for a month. */
  notClickedForDays: ofDays({
    freeze(count, { today, clicksKnownFrom }) {
      const day = daysBefore(today, count);
      return clicksKnownFrom > day ? null : day;
    },
    isMet: (day) => sql`${subscribedUntil(day)} and (s.clicked_on is null or s.clicked_on <= ${day}::date)`,
    asksForClicks: true,
  }),
  /** Readers who have any of these topics, all of them, or none of them. */
  topics: condition({
    schema: () => z.strictObject({ any: topicIds, all: topicIds, none: topicIds }, expects("a JSON object")),
    freeze: (topics) => topics,
    isMet: ({ any, all, none }) =>
      sql.join(
        [any && hasTopic(any), all && hasAllTopics(all), none && sql`not ${hasTopic(none)}`].filter(
          (part) => part !== undefined,
        ),
        sql` and `,
      ),
    topicsIn: (topics) =>
      Object.entries(topics).flatMap(([name, ids = []]) =>
        ids.map((topicId, at) => ({ path: `/${name}/${at}`, topicId })),
      ),
  }),
  /** Names of push services. */
  pushServices: condition({
    schema(further) {
      const names = pushServicesOf(further);
      return z
        .array(oneOfMany(names), zodText(faults.wrong_type({ type: "a list" })))
        .min(1, zodText(faults.empty()))
        .transform((chosen) => [...new Set(chosen)]);
    },
    freeze: (pushServices) => pushServices,
    isMet: (pushServices) => sql`s.push_service = any(${pushServices}::text[])`,
  }),
  /** Names of time zones. If the site's own zone is among them, '' is added, for readers whose zone is not known. */
  timeZones: condition({
    schema: () =>
      z
        .array(timeZone, zodText(faults.wrong_type({ type: "a list of time zones" })))
        .min(1, zodText(faults.empty()))
        .max(maxTimeZones, zodText(faults.too_many_time_zones({ most: maxTimeZones })))
        .transform((zones) => [...new Set(zones)]),
    freeze: (zones, site) => (zones.includes(knownZone(site.timeZone)!) ? [...zones, ""] : zones),
    isMet: (zones) => sql`${zoneOfSubscriber} = any(${zones}::text[])`,
  }),
  /** Languages of browsers, without regions. A reader whose language is not known has none of them. */
  languages: condition({
    schema: () =>
      z
        .array(languageName, zodText(faults.wrong_type({ type: "a list of languages" })))
        .min(1, zodText(faults.empty()))
        .max(maxLanguages, zodText(faults.too_many_languages({ most: maxLanguages })))
        .transform((languages) => [...new Set(languages)]),
    freeze: (languages) => languages,
    isMet: (languages) => sql`s.language = any(${languages}::text[])`,
  }),
  /**
   * Facts by name, each with a list of values. For each fact a reader must have one of the values. No reader has a
   * value that is no longer declared.
   */
  facts: condition<Record<string, string[]>, Record<string, string[]>>({
    schema: () =>
      z
        .record(
          z.string(),
          z
            .array(z.string(expects("a string")), zodText(faults.wrong_type({ type: "a list of values" })))
            .min(1, zodText(faults.empty()))
            .max(maxFactValues, zodText(faults.too_many_values({ most: maxFactValues }))),
          expects("a JSON object"),
        )
        .refine((facts) => Object.keys(facts).length <= maxFacts, zodText(faults.too_many_facts({ most: maxFacts }))),
    freeze(facts, { facts: declared }) {
      const known = Object.entries(facts).map(
        ([name, values]) => [name, values.filter((value) => isDeclared(declared, name, value))] as const,
      );
      return known.some(([, values]) => values.length === 0) ? null : Object.fromEntries(known);
    },
    isMet: hasFacts,
    unfit: (facts, { facts: declared }) =>
      Object.entries(facts).flatMap(([name, values]) =>
        values.flatMap((value, at) =>
          isDeclared(declared, name, value) ? [] : [fault(`/${name}/${at}`, faults.unknown_fact())],
        ),
      ),
  }),
};

/** Pairs of conditions where the first must have more days than the second. Otherwise no reader meets both. */
export const ranges = [
  ["subscribedWithinDays", "subscribedBeforeDays"],
  ["seenWithinDays", "notSeenForDays"],
  ["clickedWithinDays", "notClickedForDays"],
] as const satisfies [keyof typeof conditions, keyof typeof conditions][];

/** Returns the entry as it is. Lets the compiler infer the types of its other members from the schema. */
function condition<Given, Frozen>(entry: Condition<Given, Frozen>): Condition<Given, Frozen> {
  return entry;
}

/** Creates a condition with a number of days. It is frozen to the day that lies this number of days before today. */
function ofDays(
  entry: Pick<Condition<number, string>, "isMet"> & Partial<Condition<number, string>>,
): Condition<number, string> {
  return {
    schema: () => wholeNumber(1, maxDays),
    freeze: (count, { today }) => daysBefore(today, count),
    ...entry,
  };
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}

/** SQL condition: subscriber `s` was seen, or has subscribed, after a day (UTC). */
export function wasHereAfter(day: string): RawBuilder<unknown> {
  return sql`(s.seen_on > ${day}::date or s.created_at >= ${endOf(day)})`;
}

/** SQL condition: subscriber `s` has been subscribed since a day (UTC), or longer. */
function subscribedUntil(day: string): RawBuilder<unknown> {
  return sql`s.created_at < ${endOf(day)}`;
}

/** SQL: the end of a day (UTC). */
function endOf(day: string): RawBuilder<unknown> {
  return sql`((${day}::date + 1)::timestamp at time zone 'UTC')`;
}
