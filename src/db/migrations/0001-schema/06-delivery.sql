-- The state of push services, and the processes that deliver.

-- A push service of a site that has asked to wait, limits the site, or refuses its key (docs/decisions/0013).
create table site_push_services (
  site_id uuid not null references sites on delete cascade,
  origin text not null,
  not_before timestamptz,
  -- The refusal of the key for which the push service is blocked. Null: it is not blocked; it has asked to wait or limits the
  -- site.
  blocked_reason text check (blocked_reason in ('unauthorized', 'forbidden')),
  -- When several readers' messages were last answered with 429.
  throttled_at timestamptz,
  -- How often that happened in a row, with accepted messages in between.
  throttles smallint not null default 0 check (throttles >= 0),
  -- When the push service was last recognised as limiting this site (docs/decisions/0018).
  rate_limited_at timestamptz,
  -- When the owners last got an e-mail about it.
  rate_limit_notified_at timestamptz,
  primary key (site_id, origin)
);

-- When a push service last took a message signed with this key of the site.
create table accepted_keys (
  site_id uuid not null references sites on delete cascade,
  push_service text not null,
  public_key bytea not null check (octet_length(public_key) = 65),
  accepted_at timestamptz not null default now(),
  primary key (site_id, push_service, public_key)
);

-- The processes that deliver, and their settings. Settings that decide what happens to a message must be the same in all of them.
create table delivering_processes (
  id uuid primary key,
  -- Where it runs, for the operator: host name and process id.
  place text not null,
  -- A hash of each setting, by its name.
  settings jsonb not null,
  seen_at timestamptz not null default now()
);
