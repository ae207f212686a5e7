import { type RawBuilder, sql } from "kysely";
import { hasTopic } from "./has-topic.ts";
import { type FrozenSegment, isInSegment } from "./segments/segment.ts";

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
