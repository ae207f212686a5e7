import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";

/**
 * Inserts a topic, or brings back the retired topic of this name. Returns the id of the topic, or undefined if the name
 * is taken.
 */
export async function insertTopic(
  on: Executor,
  topic: { siteId: string; id: string; name: string },
): Promise<string | undefined> {
  const inserted = await row(
    sql<{ id: string }>`insert into topics (site_id, id, name) values (${topic.siteId}, ${topic.id}, ${topic.name})
      on conflict (site_id, name) do update set retired_at = null where topics.retired_at is not null returning id`,
    on,
  );
  return inserted?.id;
}

/** Counts the topics of a site. `used`: those that are not retired. `others`: those with another name than `name`. */
export async function countTopics(
  on: Executor,
  { siteId, name }: { siteId: string; name: string },
): Promise<{ used: number; others: number }> {
  const counted = await row(
    sql<{ used: number; others: number }>`select count(*) filter (where retired_at is null) as used,
        count(*) filter (where name <> ${name}) as others
      from topics where site_id = ${siteId}`,
    on,
  );
  return counted!;
}

/** Locks the names of a site's topics until the transaction ends. Returns false if the tenant has no such site. */
export async function lockTopics(on: Executor, tenantId: string, siteId: string): Promise<boolean> {
  const site = sql`select from sites where id = ${siteId} and tenant_id = ${tenantId} and removed_at is null
    for no key update`;
  return (await rows(site, on)).length > 0;
}

type TopicChange = { name?: string | undefined; retired?: true | undefined };

/**
 * Changes a topic that is not retired. Returns its name after the change, `taken` if another topic of the site has
 * the name, or `missing` if there is no such topic.
 */
export async function updateTopic(
  on: Executor,
  tenantId: string,
  { siteId, topicId }: { siteId: string; topicId: string },
  { name, retired }: TopicChange,
): Promise<{ name: string } | "missing" | "taken"> {
  if (!(await lockTopics(on, tenantId, siteId))) return "missing";
  const sameName = sql`select from topics where site_id = ${siteId} and name = ${name ?? null} and id <> ${topicId}`;
  if ((await rows(sameName, on)).length > 0) return "taken";
  const changed = await row(
    sql<{ name: string }>`update topics t set name = coalesce(${name ?? null}, t.name),
        retired_at = case when ${retired === true} then now() end
      where t.site_id = ${siteId} and t.id = ${topicId} and t.retired_at is null returning t.name`,
    on,
  );
  return changed ?? "missing";
}

/** Returns the ids in `topicIds` that do not belong to a topic of the site, or belong to a retired topic. */
export async function unknownTopics(on: Executor, siteId: string, topicIds: string[]): Promise<Set<string>> {
  const unknown = await rows(
    sql<{ id: string }>`select wanted.id from unnest(${topicIds}::uuid[]) as wanted (id)
      where not exists (select from topics t where t.site_id = ${siteId} and t.id = wanted.id and t.retired_at is null)`,
    on,
  );
  return new Set(unknown.map((topic) => topic.id));
}
