-- What delivery knows of push services and of the processes that deliver.

-- A push service of a site that told us to wait, or that refuses our key (docs/decisions/0013).
create table site_push_services (
  site_id uuid not null references sites on delete cascade,
  origin text not null,
  not_before timestamptz,
  -- Why this row waits: the refusal of the key. Null: the push service has asked us to wait.
  blocked_reason text check (blocked_reason in ('unauthorized', 'forbidden')),
  -- When several readers' messages were last answered with 429.
  throttled_at timestamptz,
  -- How often in a row, with messages accepted in between.
  throttles smallint not null default 0 check (throttles >= 0),
  -- When it was last recognised that the push service limits this site (docs/decisions/0018).
  rate_limited_at timestamptz,
  -- When the owners were last told so.
  rate_limit_notified_at timestamptz,
  primary key (site_id, origin)
);

-- When a push service last took a message that was signed with this key of the site.
create table accepted_keys (
  site_id uuid not null references sites on delete cascade,
  push_service text not null,
  public_key bytea not null check (octet_length(public_key) = 65),
  accepted_at timestamptz not null default now(),
  primary key (site_id, push_service, public_key)
);

-- The processes that deliver, and what their settings are: those that decide what becomes of a message must be the same in
-- all of them.
create table delivering_processes (
  id uuid primary key,
  -- Where it runs, for the operator: host name and process id.
  place text not null,
  -- A hash of each setting, by its name.
  settings jsonb not null,
  seen_at timestamptz not null default now()
);
