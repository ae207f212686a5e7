-- A campaign at an hour of the day where each reader is: docs/decisions/0023. The columns rewrite nothing. The indexes
-- read subscribers and run_batches once, whose writers wait meanwhile: half a second for each GB that is in memory.

alter table subscribers
  -- IANA, of the browser. Null: not known, as of those who were imported.
  add column time_zone text;
-- A run finds its zones in it, one look for each.
create index subscribers_by_zone on subscribers (site_id, time_zone) where time_zone is not null;

-- { date, localTime }. Null: it is sent to all readers at the same moment.
alter table campaigns
  add column reader_hour jsonb check (jsonb_typeof(reader_hour) = 'object'),
  -- The moment at which it is that hour where the site is. Null: grace counts from scheduled_at.
  add column grace_from timestamptz;
alter table send_requests add column reader_hour jsonb check (jsonb_typeof(reader_hour) = 'object');
-- { date, localTime, from }: readers whose hour is before `from` (ISO 8601) are nudged then.
alter table runs
  add column reader_hour jsonb check (jsonb_typeof(reader_hour) = 'object'),
  -- The moment at which it is that hour where the site is, up to 26 hours after created_at. Null: created_at.
  add column nudged_at timestamptz;
-- campaign_states is c.* of the day on which it was made.
drop view campaign_states;
create view campaign_states as
  select c.*, r.id as run_id,
    case
      when c.status <> 'started' then c.status
      when r.status in ('queued', 'sending') then 'sending'
      when r.status in ('stopping', 'stopped') then 'stopped'
      when r.status = 'completed' then 'sent'
      else 'failed'
    end as shown_status
  from campaigns c
  left join runs r on r.site_id = c.site_id and r.campaign_id = c.id and r.kind = 'live';

-- The recipients of a run who are nudged at the same moment.
create table run_slices (
  site_id uuid not null,
  run_id uuid not null,
  at timestamptz not null,
  -- Minutes from UTC. Null: their hour had passed when the campaign was scheduled.
  utc_offset smallint check (utc_offset between -1440 and 1440),
  readers bigint not null check (readers > 0),
  expires_at timestamptz not null,
  -- When its batches were handed to the workers. Null: it waits, or it ended before.
  released_at timestamptz,
  -- Null: it waits, or is being sent. `accepted` is counted at the end of the run.
  ended_at timestamptz,
  accepted bigint,
  primary key (site_id, run_id, at),
  foreign key (site_id, run_id) references runs (site_id, id)
);
create index waiting_slices on run_slices (at) where released_at is null and ended_at is null;
create index open_slices on run_slices (expires_at) where ended_at is null;

-- Null: of a run without slices. Until its slice is released a batch is parked until infinity, and its rank is so high that
-- no claim looks at it.
alter table run_batches add column slice_at timestamptz;
create index waiting_batches on run_batches (site_id, run_id, slice_at, no) where rank >= 10;
