-- Sends that a member has confirmed in the dashboard, and can take back until they start. Creates a table, and locks only
-- what its foreign keys name.
create table pending_sends (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  campaign_id uuid not null,
  user_id uuid not null references users on delete cascade,
  -- The send request that it approves.
  request_id uuid references send_requests on delete cascade,
  audience bigint not null,
  audience_exact boolean not null,
  -- What was confirmed: a campaign that has changed since is not sent.
  campaign_updated_at timestamptz not null,
  starts_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'taken_back', 'sent', 'refused')),
  -- The code of the error with which it was refused, or "changed" or "late".
  refusal text,
  ended_at timestamptz,
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade,
  check ((status = 'waiting') = (ended_at is null)),
  check ((status = 'refused') = (refusal is not null))
);
create unique index one_pending_send_a_campaign on pending_sends (campaign_id) where status = 'waiting';
create index pending_sends_of_campaign on pending_sends (campaign_id, id);
create index pending_sends_due on pending_sends (starts_at) where status = 'waiting';
create index pending_sends_of_member on pending_sends (tenant_id, user_id);

create trigger pending_send_moves before update of status on pending_sends for each row
  execute function refuse_illegal_move('waiting>taken_back', 'waiting>sent', 'waiting>refused');
