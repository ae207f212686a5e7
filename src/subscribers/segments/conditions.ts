import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { FieldFault } from "../../errors.ts";
import { expects, timeZone, uuid, wholeNumber } from "../../input.ts";
import { knownZone } from "../../local-time.ts";
import { type DeclaredFact, isDeclared, maxFacts, maxFactValues } from "../../tenants/sites/declared-facts.ts";
import { hasFacts } from "../facts/queries.ts";
import { hasAllTopics, hasTopic } from "../has-topic.ts";
import { languageOf } from "../language.ts";
import { pushServicesOf } from "../push-service.ts";
import { zoneOfSubscriber } from "../zone-queries.ts";

/**
 * What freezing needs to know of a site. `today`: YYYY-MM-DD, UTC. `countsClicks`: the site knows who clicks, and has
 * known it since `clicksKnownFrom`. `timeZone`: its own. `facts`: those that it has declared.
 */
export type FreezeFacts = {
  today: string;
  countsClicks: boolean;
  clicksKnownFrom: string;
  timeZone: string;
  facts: DeclaredFact[];
};

/** SQL: these facts, as columns of `sites`. */
export const freezeFactsColumns = sql.raw(`(now() at time zone 'UTC')::date::text as today,
  sites.receipts = 'full' as "countsClicks", sites.clicks_known_from::text as "clicksKnownFrom",
  sites.time_zone as "timeZone", sites.facts`);

/** A condition of segments. `Given`: what a rule says. `Frozen`: what a run keeps of it, as JSON. */
export type Condition<Given, Frozen> = {
  /** The schema of what a rule says. `pushServices`: the origins of PUSH_SERVICES. */
  schema(pushServices: readonly string[]): z.ZodType<Given>;
  /** Fixes it at a moment, so that no later day or change of the site makes it another. Null: nobody is known to meet it. */
  freeze(given: Given, facts: FreezeFacts): Frozen | null;
  /** SQL condition: subscriber `s` meets it. */
  isMet(frozen: Frozen): RawBuilder<unknown>;
  /** It asks who has clicked: only a site that knows it can have it. */
  asksForClicks?: true;
  /** What the site does not have of it, each with its place as a path. */
  unfit?(given: Given, site: { facts: DeclaredFact[] }): FieldFault[];
  /** The topics that it names, each with its place in it as a path. The site has to have them. */
  topicsIn?(given: Given): { path: string; topicId: string }[];
};

const maxDays = 3_650;
export const maxTopics = 100;
export const maxTimeZones = 100;
export const maxLanguages = 50;

const topicIds = z
  .array(uuid, "must be a list of topic ids")
  .min(1, "must not be empty")
  .max(maxTopics, `must have at most ${maxTopics} topics`)
  .transform((ids) => [...new Set(ids)])
  .optional();

/** `de-AT` is refused: it would stand for all of `de`. `iw` is `he`, as browsers are stored. */
const languageName = z
  .string(expects("a language"))
  .regex(/^[A-Za-z]{2,3}$/, "must be languages such as de, without a region")
  .transform((tag, context) => {
    const language = languageOf(tag);
    if (language !== undefined) return language;
    context.addIssue({ code: "custom", message: "must be languages such as de, without a region" });
    return z.NEVER;
  });

/**
 * The conditions of segments by their names in a rule. Days are those of UTC, today is the first. A new condition is an
 * entry here. A reader has not been here, or has not clicked, for so many days only if they were subscribed all the time.
 */
export const conditions = {
  subscribedWithinDays: ofDays({ isMet: (day) => sql`s.created_at >= ${endOf(day)}` }),
  subscribedBeforeDays: ofDays({ isMet: subscribedUntil }),
  seenWithinDays: ofDays({ isMet: (day) => sql`s.seen_on > ${day}::date` }),
  notSeenForDays: ofDays({
    isMet: (day) => sql`${subscribedUntil(day)} and (s.seen_on is null or s.seen_on <= ${day}::date)`,
  }),
  clickedWithinDays: ofDays({ isMet: (day) => sql`s.clicked_on > ${day}::date`, asksForClicks: true }),
  /** A site knows who has not clicked for a month only once it has counted clicks for a month. */
  notClickedForDays: ofDays({
    freeze(count, { today, clicksKnownFrom }) {
      const day = daysBefore(today, count);
      return clicksKnownFrom > day ? null : day;
    },
    isMet: (day) => sql`${subscribedUntil(day)} and (s.clicked_on is null or s.clicked_on <= ${day}::date)`,
    asksForClicks: true,
  }),
  /** Any of these topics, all of them, none of them. */
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
        .array(z.enum(names, `must be one of ${names.join(", ")}`), "must be a list")
        .min(1, "must not be empty")
        .transform((chosen) => [...new Set(chosen)]);
    },
    freeze: (pushServices) => pushServices,
    isMet: (pushServices) => sql`s.push_service = any(${pushServices}::text[])`,
  }),
  /** Names of time zones. Frozen with '' for readers whose zone is not known, if that of the site is among them. */
  timeZones: condition({
    schema: () =>
      z
        .array(timeZone, "must be a list of time zones")
        .min(1, "must not be empty")
        .max(maxTimeZones, `must be at most ${maxTimeZones} time zones`)
        .transform((zones) => [...new Set(zones)]),
    freeze: (zones, site) => (zones.includes(knownZone(site.timeZone)!) ? [...zones, ""] : zones),
    isMet: (zones) => sql`${zoneOfSubscriber} = any(${zones}::text[])`,
  }),
  /** Languages of browsers without their regions. Readers whose language is not known are in none. */
  languages: condition({
    schema: () =>
      z
        .array(languageName, "must be a list of languages")
        .min(1, "must not be empty")
        .max(maxLanguages, `must be at most ${maxLanguages} languages`)
        .transform((languages) => [...new Set(languages)]),
    freeze: (languages) => languages,
    isMet: (languages) => sql`s.language = any(${languages}::text[])`,
  }),
  /** One of some values for each of some facts, by their names. A value that is not declared any more is nobody's. */
  facts: condition<Record<string, string[]>, Record<string, string[]>>({
    schema: () =>
      z
        .record(
          z.string(),
          z
            .array(z.string(expects("a string")), "must be a list of values")
            .min(1, "must not be empty")
            .max(maxFactValues, `must be at most ${maxFactValues} values`),
          expects("a JSON object"),
        )
        .refine((facts) => Object.keys(facts).length <= maxFacts, `must be at most ${maxFacts} facts`),
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
          isDeclared(declared, name, value) ? [] : [{ path: `/${name}/${at}`, message: "is no fact of this site" }],
        ),
      ),
  }),
};

/** Conditions of which the first has to be of more days than the second: otherwise no reader meets both. */
export const ranges = [
  ["subscribedWithinDays", "subscribedBeforeDays"],
  ["seenWithinDays", "notSeenForDays"],
  ["clickedWithinDays", "notClickedForDays"],
] as const satisfies [keyof typeof conditions, keyof typeof conditions][];

/** Lets the compiler infer from the schema what the other members of an entry get. */
function condition<Given, Frozen>(entry: Condition<Given, Frozen>): Condition<Given, Frozen> {
  return entry;
}

/** A condition of a number of days; it is frozen to the day that is so many before today. */
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
