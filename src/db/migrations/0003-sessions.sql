-- Sessions of people in the dashboard (better-auth's tables under our names: src/access/accounts/sessions.ts maps them), and
-- the counters of the rate limits.

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Worth nothing by itself: the cookie carries it signed under SECRET_KEY.
  token text not null unique,
  active_tenant_id uuid references tenants on delete set null,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_of_identifier on verifications (identifier);

create index members_of_user on members (user_id);

-- The last time that a valid key came with an Origin header: it lies in a web page, where anyone can read it.
alter table api_keys add column seen_in_browser_at timestamptz;

-- A fixed window per bucket (docs/decisions/0004-rate-limits.md). Unlogged: written on each request and worth nothing
-- after a crash; no WAL, no wait for the disk. fillfactor 50 keeps each update on its page (HOT).
create unlogged table rate_limits (
  bucket text primary key check (char_length(bucket) <= 200),
  used integer not null,
  resets_at timestamptz not null
) with (fillfactor = 50);
