-- What the content decision judges by: a site's own limits, and how to find what it has sent.

alter table sites
  -- An older story is not sent.
  add column freshness_hours integer not null default 48 check (freshness_hours between 1 and 8760),
  -- Live sends in 24 hours, and minutes between two of them. Null: not limited.
  add column daily_cap integer check (daily_cap between 1 and 1000),
  add column min_gap_minutes integer check (min_gap_minutes between 1 and 10080),
  -- In the site's own time zone; from 22:00 until 07:00 goes over midnight. Null: none.
  add column quiet_from time,
  add column quiet_until time,
  add constraint quiet_hours check (
    (quiet_from is null and quiet_until is null)
    or (quiet_from is not null and quiet_until is not null and quiet_from <> quiet_until));

-- Was this story sent before? An address has at most 2,048 ASCII characters, which a B-tree's entry holds.
create index campaigns_of_story on campaigns (site_id, canonical_url) where canonical_url is not null;

-- When did this site send, and how often since yesterday? Neither column ever changes.
create index live_runs_of_site on runs (site_id, created_at) where kind = 'live';
