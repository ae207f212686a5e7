-- Segments, readers by what is known of their subscriptions: docs/decisions/0024. The columns rewrite nothing.

create table segments (
  site_id uuid not null references sites on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  -- What its readers have in common: src/subscribers/segments/segment.ts.
  rule jsonb not null check (jsonb_typeof(rule) = 'object'),
  created_at timestamptz not null default now(),
  -- Campaigns that have it keep it.
  retired_at timestamptz,
  primary key (site_id, id)
);
create unique index segments_by_name on segments (site_id, name) where retired_at is null;

alter table subscribers
  -- The day (UTC) of the last click on a nudge. Null: none since this migration. In no index, as seen_on.
  add column clicked_on date;
alter table sites
  -- Since then clicks are known by reader, where the site has receipts in full.
  add column clicks_known_from date not null default (now() at time zone 'UTC')::date;

-- Null: all readers.
alter table campaigns add column segment_id uuid;
-- As it was at the send, with dates in place of days. Null: all readers.
alter table runs add column segment jsonb check (jsonb_typeof(segment) = 'object');
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
