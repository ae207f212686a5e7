-- Whose fault a 401 or 403 is: docs/decisions/0013. The index reads the table once, and imports and new readers wait
-- meanwhile. From now on subscribers.accepted is also recorded for imported subscribers, for a few of each claim.

-- When a push service last took a message that was signed with this key of the site.
create table accepted_keys (
  site_id uuid not null references sites on delete cascade,
  lane text not null,
  public_key bytea not null check (octet_length(public_key) = 65),
  accepted_at timestamptz not null default now(),
  primary key (site_id, lane, public_key)
);

create index refused_subscribers on subscribers (site_id, lane) where refused_runs > 0;
