-- What readers ask for: at most so many nudges a day, quiet hours of their own, a digest of what was kept back, and stories
-- that they have muted (docs/decisions/0020). Planning reads it for sites where a reader has asked for anything.
create table reader_preferences (
  site_id uuid not null,
  subscriber_id bigint not null,
  max_a_day smallint check (max_a_day between 1 and 50),
  -- Minutes since midnight where the reader is; until is below from where they span midnight.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  -- Null: what is kept back is not sent at all.
  digest_at smallint check (digest_at between 0 and 1439),
  -- IANA.
  time_zone text not null,
  -- How many nudges were planned for the reader on this day of theirs.
  used_on date,
  used smallint not null default 0,
  -- The runs that the next digest is of, oldest first, and those that the last one was of.
  kept_back uuid[] not null default '{}',
  digested uuid[] not null default '{}',
  digest_due_at timestamptz,
  -- The run of the last digest.
  digest_run_id uuid,
  primary key (site_id, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade,
  check ((quiet_from is null) = (quiet_until is null))
);
create index reader_zones on reader_preferences (site_id, time_zone);
create index due_digests on reader_preferences (digest_due_at) where digest_due_at is not null;
create index readers_of_digest on reader_preferences (digest_run_id) where digest_run_id is not null;

create table muted_stories (
  site_id uuid not null,
  -- The first 16 bytes of SHA-256 of the story's id, or of its address.
  story bytea not null check (octet_length(story) = 16),
  subscriber_id bigint not null,
  title text not null,
  muted_at timestamptz not null default now(),
  primary key (site_id, story, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
create index mutes_of_subscriber on muted_stories (site_id, subscriber_id);
create index mutes_by_age on muted_stories (muted_at);

-- Kept with the topics of a reader who is gone, for their return.
alter table gone_subscribers add column preferences jsonb;

-- The page of the site on which readers choose.
alter table sites add column preferences_url text;

-- A digest is a run of its own kind, of no campaign. It has readers of one list of headlines.
alter table runs alter column campaign_id drop not null;
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check check (kind in ('live', 'test', 'digest')) not valid;
alter table runs add constraint runs_campaign_check check ((kind = 'digest') = (campaign_id is null)) not valid;
