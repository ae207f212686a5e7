import { countLeftText } from "../left-days.ts";

// Each statement finds the rows of a site by the keys of its lines. `offset 0` keeps PostgreSQL from making a join of it, which
// reads all rows of the site for each part of a file (docs/decisions/0029).

/** SQL condition: line `l` names a subscription that has left the site $1, or was erased there. */
const hasLeft = `exists (select from left_subscribers x
  where x.site_id = $1 and x.hash = left_hash($1, l.endpoint_hash) offset 0)`;

/** SQL condition: the push service of the subscription in line `l` has said that it is gone. */
const isGone = `exists (select from gone_subscribers g
  where g.site_id = $1 and g.endpoint_hash = l.endpoint_hash offset 0)`;

/** SQL: a query of the subscriber that line `l` names. It has one row or none. */
const subscriberOfLine = `(select s.id, s.is_test from subscribers s
  where s.site_id = $1 and s.endpoint_hash = l.endpoint_hash offset 0)`;

/** The statements of an import. They run on clients of their own (`ImportPool`), because COPY is no query. */
export const importStatements = {
  /** Limits waits as `inTenant` does for other requests. */
  limitWaits: "select set_config('lock_timeout', '3s', true), set_config('statement_timeout', '10s', true)",
  /**
   * Updates statistics, because without them paging an audience is ten times slower. Also vacuums: the index that
   * counts an audience needs no look at the table for pages that a vacuum has marked as visible, which is four times
   * faster. Skips a table that another process is working on.
   */
  analyze: "vacuum (analyze, skip_locked) subscribers, subscriber_topics",
  /** The table lasts for one transaction, so that it needs no session. A pooler may be in between. */
  createLines: `create temp table import_lines (line bigint, endpoint text, endpoint_hash bytea, p256dh bytea, auth bytea,
    push_service text, reports_displays boolean, topic_ids uuid[]) on commit drop`,
  copyLines: "copy import_lines from stdin",
  /** $1 site. Forgets that these subscriptions have left, so that they are brought back. */
  forgetLeft: `with left_here as (
      delete from left_subscribers where site_id = $1
        and hash = any(array(select left_hash($1, l.endpoint_hash) from import_lines l)))
    delete from gone_subscribers where site_id = $1 and endpoint_hash = any(array(select endpoint_hash from import_lines))`,
  /** $1 site. Deletes the lines of subscriptions that have left. Returns the numbers of the lines. */
  deleteLeftLines: `delete from import_lines l where ${hasLeft} or ${isGone} returning l.line::int`,
  /** $1 site. Deletes subscribers who left while they were merged. Returns the numbers of their lines. */
  deleteLeftMeanwhile: `with left_lines as materialized (select l.line, l.endpoint_hash from import_lines l where ${hasLeft}),
    deleted as (
      delete from subscribers where site_id = $1 and endpoint_hash = any(array(select endpoint_hash from left_lines))
      returning endpoint_hash, site_id, is_test),
    counted as (${countLeftText("deleted")})
    select max(line)::int as line from left_lines join deleted using (endpoint_hash) group by endpoint_hash`,
  /**
   * $1 site, $2 test label or null. If several lines have one endpoint, the last counts. An unchanged subscriber is
   * not updated, unless its push service has refused it: then it becomes reachable again. A label never turns a reader
   * into a test device.
   */
  mergeSubscribers: `with lines as (
      select distinct on (endpoint_hash) * from import_lines order by endpoint_hash, line desc),
    merged as (
      insert into subscribers as s (site_id, endpoint, endpoint_hash, p256dh, auth, push_service, reports_displays, is_test, label,
        consent)
      select $1, endpoint, endpoint_hash, p256dh, auth, push_service, reports_displays, $2::text is not null, $2, 'imported' from lines order by line
      on conflict (site_id, endpoint_hash) do update
        set p256dh = excluded.p256dh, auth = excluded.auth,
          label = coalesce(excluded.label, s.label), confirmed_at = now(), refused_runs = 0
        where (s.is_test or not excluded.is_test)
          and ((s.p256dh, s.auth) is distinct from (excluded.p256dh, excluded.auth) or s.refused_runs > 0
            or (excluded.is_test and s.label is distinct from excluded.label))
      returning (xmax = 0) as added)
    select count(*) filter (where added)::int as added, count(*) filter (where not added)::int as changed from merged`,
  /**
   * $1 site. Deletes the lines that name a reader, after a merge with a label, so that those readers get no topics.
   * Returns the numbers of the lines. Runs after the merge, so that it sees readers who subscribed in the meantime.
   */
  deleteReaderLines: `delete from import_lines l
    where exists (select from ${subscriberOfLine} s where not s.is_test) returning l.line::int`,
  /** $1 site. Adds topics and removes none, because a file does not undo a reader's own choice. */
  mergeTopics: `insert into subscriber_topics (site_id, topic_id, subscriber_id)
    select distinct $1::uuid, topic.id, s.id from import_lines l
      cross join lateral ${subscriberOfLine} s
      cross join lateral unnest(l.topic_ids) as topic (id)
    where cardinality(l.topic_ids) > 0
    on conflict do nothing`,
};
