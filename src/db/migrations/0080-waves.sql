-- The messages of a run: 0 is its own, the others are the variants of a headline test.
create table run_messages (
  site_id uuid not null,
  run_id uuid not null,
  no smallint not null check (no between 0 and 9),
  -- RunMessage of src/runs/run.ts.
  message jsonb not null,
  primary key (site_id, run_id, no),
  foreign key (site_id, run_id) references runs (site_id, id)
);
alter table headline_tests drop column messages;

-- Batches that wait to be opened together: for a moment, or for an event.
drop table run_slices;
create table run_waves (
  site_id uuid not null,
  run_id uuid not null,
  no smallint not null,
  -- Null: an event opens it, such as the end of a headline test.
  opens_at timestamptz,
  -- Minutes from UTC, where the wave is a local time. Null: it is none, or that time had passed when the campaign was scheduled.
  utc_offset smallint check (utc_offset between -1440 and 1440),
  readers bigint not null check (readers > 0),
  -- The message that its batches get when it opens. Null: each keeps its own.
  message_no smallint,
  -- Null: it expires with its run.
  expires_at timestamptz,
  -- When all its batches were handed to the workers. Null: not yet, or it ended before.
  opened_at timestamptz,
  -- Null: it waits, or is being sent. `accepted` is counted at the end of the run.
  ended_at timestamptz,
  accepted bigint,
  primary key (site_id, run_id, no),
  unique (site_id, run_id, opens_at),
  foreign key (site_id, run_id) references runs (site_id, id)
);
create index waiting_waves on run_waves (opens_at) where opened_at is null and ended_at is null;
create index open_waves on run_waves (expires_at) where ended_at is null;

drop index waiting_batches;
drop index open_batches_by_rank;
alter table run_batches
  drop column variant,
  drop column slice_at,
  drop column counted,
  drop constraint run_batches_state_check,
  -- waiting: until its wave opens.
  add check (state in ('waiting', 'ready', 'open', 'parked', 'done')),
  add column message_no smallint not null default 0,
  -- Null: it was open from the beginning.
  add column wave_no smallint,
  add check (state <> 'waiting' or wave_no is not null);
create index claimable_batches on run_batches (site_id, run_id, lane, rank, no) where state in ('ready', 'open', 'parked');
create index waiting_batches on run_batches (site_id, run_id, wave_no, no) where state = 'waiting';
alter table runs drop column message, add column receipts text check (receipts in ('aggregate', 'off')), add column thread_id uuid;
alter table runs
  -- The identity of the notification on the screen: the first run of the notification. A later sequence replaces an earlier one.
  alter column thread_id set not null,
  add column sequence integer not null default 0 check (sequence >= 0),
  -- Audience of src/runs/audience.ts and Timing of src/runs/timing.ts.
  add column audience jsonb not null,
  add column timing jsonb not null default '{"at": "once"}',
  -- The moment from which it counts, by the site's clock: of a local time that hour at the site, else its start.
  add column counts_at timestamptz not null default now(),
  add column label text,
  drop column topic_ids, drop column segment, drop column max_subscriber_id, drop column reader_hour, drop column nudged_at,
  drop column welcome_step;
alter table runs add check ((sequence = 0) = (thread_id = id) or kind = 'test');
create index runs_of_thread on runs (site_id, thread_id) where sequence > 0;
-- The subscribers of a run whose audience is a list, until it is planned.
create table run_lists (
  site_id uuid not null,
  run_id uuid not null,
  subscriber_ids bigint[] not null,
  primary key (site_id, run_id),
  foreign key (site_id, run_id) references runs (site_id, id)
);
drop index readers_of_digest;
alter table reader_preferences drop column digest_run_id;
