import { type RawBuilder, sql } from "kysely";
import type { FrozenSegment } from "./segments/segment.ts";

/** The readers of a notification: those with any of the topics (`[]`: all) who are in the segment (null: all). */
export type Audience = { topicIds: string[]; segment: FrozenSegment | null };

export const everybody: Audience = { topicIds: [], segment: null };

/** SQL condition: subscriber `s` is in the audience. */
export function isOfAudience({ topicIds, segment }: Audience): RawBuilder<unknown> {
  return segment === null ? hasTopic(topicIds) : sql`${hasTopic(topicIds)} and ${isInSegment(segment)}`;
}

/** SQL condition: subscriber `s` is in one of the audiences. One scan for the topics of all those without a segment. */
export function isOfAny(audiences: Audience[]): RawBuilder<unknown> {
  const [whole, parts] = [
    audiences.filter(({ segment }) => segment === null),
    audiences.filter(({ segment }) => segment !== null),
  ];
  if (whole.some(({ topicIds }) => topicIds.length === 0)) return sql`true`;
  const topicIds = [...new Set(whole.flatMap((audience) => audience.topicIds))];
  const conditions = [...(whole.length === 0 ? [] : [hasTopic(topicIds)]), ...parts.map(isOfAudience)];
  return sql`(${sql.join(
    conditions.map((condition) => sql`(${condition})`),
    sql` or `,
  )})`;
}

/**
 * SQL condition: subscriber `s` has any of the topics. True for `[]`. "offset 0" keeps it a look at the entries of one
 * reader. As a join it compared each reader of a page with all of a topic where PostgreSQL expected few of them.
 */
function hasTopic(topicIds: string[]): RawBuilder<unknown> {
  if (topicIds.length === 0) return sql`true`;
  return sql`exists (select ${topicsAmong(topicIds)} offset 0)`;
}

const topicsAmong = (topicIds: string[]) => sql`from subscriber_topics t where t.site_id = s.site_id
  and t.subscriber_id = s.id and t.topic_id = any(${topicIds}::uuid[])`;

/** SQL condition: subscriber `s` is in the segment. */
function isInSegment(segment: FrozenSegment): RawBuilder<unknown> {
  if ("isEmpty" in segment) return sql`false`;
  const { topics, pushServices } = segment;
  const conditions = [
    ...given(segment.subscribedAfter, (day) => sql`s.created_at >= ${endOf(day)}`),
    ...given(segment.subscribedUntil, (day) => sql`s.created_at < ${endOf(day)}`),
    ...given(segment.seenAfter, (day) => sql`s.seen_on > ${day}::date`),
    ...given(segment.notSeenAfter, (day) => sql`(s.seen_on is null or s.seen_on <= ${day}::date)`),
    ...given(segment.clickedAfter, (day) => sql`s.clicked_on > ${day}::date`),
    ...given(segment.notClickedAfter, (day) => sql`(s.clicked_on is null or s.clicked_on <= ${day}::date)`),
    ...given(topics?.any, hasTopic),
    ...given(topics?.all, (ids) => sql`(select count(*) ${topicsAmong(ids)}) = ${ids.length}`),
    ...given(topics?.none, (ids) => sql`not ${hasTopic(ids)}`),
    ...given(pushServices, (pushServices) => sql`s.push_service = any(${pushServices}::text[])`),
  ];
  return sql.join(conditions, sql` and `);
}

/** SQL: the end of a day (UTC). */
const endOf = (day: string) => sql`((${day}::date + 1)::timestamp at time zone 'UTC')`;

/** The condition of a value that is given, as a list of one. */
function given<T>(value: T | undefined, condition: (value: T) => RawBuilder<unknown>): RawBuilder<unknown>[] {
  return value === undefined ? [] : [condition(value)];
}
