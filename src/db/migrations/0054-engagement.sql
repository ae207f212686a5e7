-- Who was lately on the site gets a nudge first, and a push service that takes only so many messages of a site is
-- recognised: docs/decisions/0018. The columns rewrite nothing; the index reads run_batches once, whose writers wait
-- meanwhile: half a second for each GB of it that is in memory.
alter table subscribers
  -- The day (UTC) of the last visit or click. Null: none since the import, or since this migration. In no index, so that
  -- its update stays within its page.
  add column seen_on date;
alter table sites
  -- The last day on which any reader was seen.
  add column readers_seen_on date;

alter table run_batches
  -- 0: readers seen within a week, 1: within 30 days, 2: the others. Lower ranks are claimed first.
  add column rank smallint not null default 0,
  -- How many recipients have had no answer yet, nor a failed try.
  add column unanswered smallint not null default 0 check (unanswered >= 0);
create index open_batches_by_rank on run_batches (site_id, run_id, lane, rank, no) where state <> 'done';
drop index open_batches;

alter table lanes
  -- When several readers' messages were last answered with 429.
  add column throttled_at timestamptz,
  -- How often in a row, with messages accepted in between.
  add column throttles smallint not null default 0 check (throttles >= 0),
  -- When it was last recognised that the push service limits this site.
  add column capped_at timestamptz,
  -- When the owners were last told so.
  add column cap_told_at timestamptz;
