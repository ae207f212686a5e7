import { type RawBuilder, sql } from "kysely";
import { isFollowerOf } from "./follows/queries.ts";
import { hasTopic } from "./has-topic.ts";
import { type FrozenSegment, isInSegment } from "./segments/segment.ts";

/**
 * The readers of a notification: those who have any of the topics (`[]`: no topic is needed), are in the segment
 * (null: none is needed) and follow the id (null: none is needed).
 */
export type Audience = { topicIds: string[]; segment: FrozenSegment | null; followersOf: string | null };

export const everybody: Audience = { topicIds: [], segment: null, followersOf: null };

/** SQL condition: subscriber `s` of the site is in the audience. */
export function isOfAudience(siteId: string, audience: Audience): RawBuilder<unknown> {
  const { followersOf } = audience;
  if (followersOf === null) return isOfTopicsAndSegment(audience);
  return sql`${isFollowerOf(siteId, followersOf)} and ${isOfTopicsAndSegment(audience)}`;
}

/** SQL condition: subscriber `s` has the topics and is in the segment. What they follow does not matter. */
export function isOfTopicsAndSegment({ topicIds, segment }: Omit<Audience, "followersOf">): RawBuilder<unknown> {
  return segment === null ? hasTopic(topicIds) : sql`${hasTopic(topicIds)} and ${isInSegment(segment)}`;
}

/**
 * SQL condition: subscriber `s` of the site is in one of the audiences. Audiences that only have topics share one
 * condition.
 */
export function isOfAny(siteId: string, audiences: Audience[]): RawBuilder<unknown> {
  const isWhole = ({ segment, followersOf }: Audience) => segment === null && followersOf === null;
  const [whole, parts] = [audiences.filter(isWhole), audiences.filter((audience) => !isWhole(audience))];
  if (whole.some(({ topicIds }) => topicIds.length === 0)) return sql`true`;
  const topicIds = [...new Set(whole.flatMap((audience) => audience.topicIds))];
  const conditions = [
    ...(whole.length === 0 ? [] : [hasTopic(topicIds)]),
    ...parts.map((part) => isOfAudience(siteId, part)),
  ];
  return sql`(${sql.join(
    conditions.map((condition) => sql`(${condition})`),
    sql` or `,
  )})`;
}
