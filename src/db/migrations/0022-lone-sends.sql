-- Live sends and schedules that one member decided without a second person, where a tenant has set confirm_above. Together
-- they reach no more than that many people within an hour. Creates a table, and locks only what its foreign keys name.
create table lone_sends (
  campaign_id uuid primary key,
  site_id uuid not null,
  user_id uuid not null references users on delete cascade,
  -- When it goes out: the time of the send, or the scheduled one.
  send_at timestamptz not null,
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create index lone_sends_of_member on lone_sends (site_id, user_id, send_at);
