-- Anybody can register a push subscription that nobody has. The cap of a plan therefore counts a registered subscriber
-- only after a day, or once its push service has accepted a message; registrations have a limit by site and hour; and
-- those of a period can be deleted. The columns rewrite nothing. While the index is made, imports and new readers wait
-- for one read of the table.
alter table subscribers
  -- Whether a browser registered it. False: imported, or older than this migration, when that was not recorded.
  add column registered boolean not null default false,
  -- Whether its push service has accepted a message. Recorded for registered ones, once.
  add column accepted boolean not null default false;
create index registered_subscribers on subscribers (site_id, created_at) where registered and not is_test;

-- How many new registrations an hour a site takes, where that was once more than the least: kept for an hour, because it
-- is a share of a count.
create table registration_quotas (
  site_id uuid primary key references sites on delete cascade,
  quota integer not null check (quota > 0),
  valid_until timestamptz not null,
  -- When the owners were last warned that the quota was used up.
  warned_at timestamptz
);
