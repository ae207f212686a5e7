import { type RawBuilder, sql } from "kysely";

/**
 * SQL condition: subscriber `s` has any of the topics. True for `[]`. With "offset 0" PostgreSQL looks up the topics
 * of one reader. Without it PostgreSQL makes a join, which compares each reader of a page with all readers of a topic
 * if it expects few of them.
 */
export function hasTopic(topicIds: string[]): RawBuilder<unknown> {
  if (topicIds.length === 0) return sql`true`;
  return sql`exists (select ${topicsAmong(topicIds)} offset 0)`;
}

/** SQL condition: subscriber `s` has all of the topics. The list must name each topic once. */
export function hasAllTopics(topicIds: string[]): RawBuilder<unknown> {
  return sql`(select count(*) ${topicsAmong(topicIds)}) = ${topicIds.length}`;
}

const topicsAmong = (topicIds: string[]) => sql`from subscriber_topics t where t.site_id = s.site_id
  and t.subscriber_id = s.id and t.topic_id = any(${topicIds}::uuid[])`;
