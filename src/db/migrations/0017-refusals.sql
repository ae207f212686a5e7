-- Whose fault a 401 or 403 is: docs/decisions/0013. Adding the column rewrites nothing; the index reads the table once, and
-- imports and new readers wait meanwhile.

-- When a push service last took a message that was signed with this key of the site.
create table accepted_keys (
  site_id uuid not null references sites on delete cascade,
  lane text not null,
  public_key bytea not null check (octet_length(public_key) = 65),
  accepted_at timestamptz not null default now(),
  primary key (site_id, lane, public_key)
);

-- This subscription has taken a message. Only some of each batch are marked: enough to ask when the key is in doubt.
alter table subscribers add column is_proven boolean not null default false;

create index refused_subscribers on subscribers (site_id, lane) where refused_runs > 0;
