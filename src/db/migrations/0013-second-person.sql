-- Above so many people a send from the dashboard wants a second person: it waits as a request until another editor or
-- owner approves or refuses it. And a correction: a campaign that takes the place of another's nudge on readers' screens.

alter table tenants
  -- Null: one person is enough. 0: every send wants two.
  add column confirm_above integer check (confirm_above between 0 and 1000000);

create table send_requests (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  campaign_id uuid not null,
  -- When it is to go out; null: at once.
  schedule_at timestamptz,
  -- Counted when it was asked for.
  audience bigint not null,
  asked_by uuid not null references users on delete cascade,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Over is what has expired, or whose campaign can be sent no more: that is read, not written.
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'refused', 'withdrawn')),
  decided_by uuid references users on delete set null,
  decided_at timestamptz,
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade,
  check ((status = 'waiting') = (decided_at is null)),
  -- The promise itself: nobody approves what they have asked for.
  check (status <> 'approved' or decided_by is distinct from asked_by)
);
create unique index one_waiting_request_a_campaign on send_requests (campaign_id) where status = 'waiting';
create index waiting_requests_of_site on send_requests (site_id, expires_at) where status = 'waiting';

create trigger send_request_moves before update of status on send_requests for each row
  execute function refuse_illegal_move('waiting>approved', 'waiting>refused', 'waiting>withdrawn');

-- The campaign of the same site whose nudge this one replaces.
alter table campaigns
  add column corrects uuid,
  add foreign key (site_id, corrects) references campaigns (site_id, id);
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
