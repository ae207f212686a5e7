import { type RawBuilder, sql } from "kysely";

/**
 * SQL condition: subscriber `s` has any of the topics. True for `[]`. "offset 0" keeps it a look at the entries of one
 * reader. As a join it compared each reader of a page with all of a topic where PostgreSQL expected few of them.
 */
export function hasTopic(topicIds: string[]): RawBuilder<unknown> {
  if (topicIds.length === 0) return sql`true`;
  return sql`exists (select ${topicsAmong(topicIds)} offset 0)`;
}

/** SQL condition: subscriber `s` has all of the topics, each of which is named once. */
export function hasAllTopics(topicIds: string[]): RawBuilder<unknown> {
  return sql`(select count(*) ${topicsAmong(topicIds)}) = ${topicIds.length}`;
}

const topicsAmong = (topicIds: string[]) => sql`from subscriber_topics t where t.site_id = s.site_id
  and t.subscriber_id = s.id and t.topic_id = any(${topicIds}::uuid[])`;
