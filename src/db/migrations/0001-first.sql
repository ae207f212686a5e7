-- The house: tenants, their sites and keys, subscribers, campaigns, and the ledger of what was sent.
-- site_id stands first in every hot key, so that each large table can be partitioned by it.

create table tenants (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  plan text not null,
  paused_at timestamptz,
  dpa_accepted_at timestamptz,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- How a user signs in; provider_id 'credential' holds an argon2id hash.
create table accounts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);

create table members (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  created_at timestamptz not null default now(),
  unique (tenant_id, user_id)
);

create table sites (
  id uuid primary key,
  tenant_id uuid not null references tenants,
  name text not null check (char_length(name) between 1 and 200),
  url text not null,
  time_zone text not null default 'UTC',
  paused_at timestamptz,
  -- What becomes of a message that was perhaps on the wire when its sender died: sent again, or left and counted.
  on_uncertain text not null default 'resend' check (on_uncertain in ('resend', 'skip')),
  vapid_public_key bytea not null check (octet_length(vapid_public_key) = 65),
  vapid_private_key_sealed bytea not null,
  created_at timestamptz not null default now(),
  -- For composite foreign keys: a row can only point to a site of its own tenant.
  unique (tenant_id, id)
);

create table api_keys (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  prefix text not null,
  -- SHA-256 of the secret. 190 random bits need no slow hash.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index api_keys_of_tenant on api_keys (tenant_id, id);

create table topics (
  site_id uuid not null references sites on delete cascade,
  id uuid not null unique,
  name text not null check (char_length(name) between 1 and 80),
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, name)
);

create table subscribers (
  site_id uuid not null references sites on delete cascade,
  id bigint generated always as identity,
  endpoint text not null,
  -- The first 16 bytes of SHA-256 of the endpoint: the unique key, a tenth of the endpoint's size.
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 16),
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  -- The push service: fcm, mozilla, apple, wns, or an origin of PUSH_SERVICES.
  lane text not null,
  is_test boolean not null default false,
  label text,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, endpoint_hash),
  check (is_test or label is null)
);
create index test_subscribers on subscribers (site_id, id) where is_test;

create table subscriber_topics (
  site_id uuid not null,
  topic_id uuid not null,
  subscriber_id bigint not null,
  primary key (site_id, topic_id, subscriber_id),
  foreign key (site_id, topic_id) references topics (site_id, id) on delete cascade,
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
create index topics_of_subscriber on subscriber_topics (site_id, subscriber_id);

create table campaigns (
  site_id uuid not null,
  id uuid not null unique,
  tenant_id uuid not null,
  external_id text check (char_length(external_id) <= 200),
  mode text not null check (mode in ('url', 'manual')),
  -- sending, sent and stopped are read from the live run: see campaign_states.
  status text not null check (status in ('draft', 'scheduled', 'cancelled', 'failed', 'started')),
  url text not null,
  -- A story that could not be read is cancelled without one.
  title text check (char_length(title) between 1 and 120),
  body text not null check (char_length(body) <= 240),
  image_url text,
  topic_ids uuid[] not null default '{}',
  force_send boolean not null,
  -- The verdict that create took, null in manual mode: { decision, score, reasons }.
  decision jsonb,
  canonical_url text,
  ttl_seconds integer not null default 14400 check (ttl_seconds between 60 and 2419200),
  urgency text not null default 'normal' check (urgency in ('very-low', 'low', 'normal', 'high')),
  scheduled_at timestamptz,
  failure jsonb,
  created_by text not null,
  idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  idempotency_body_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  check ((idempotency_key is null) = (idempotency_body_hash is null)),
  check (title is not null or status = 'cancelled'),
  check (status <> 'scheduled' or scheduled_at is not null),
  check ((status = 'failed') = (failure is not null))
);
create unique index campaigns_idempotency on campaigns (tenant_id, idempotency_key) where idempotency_key is not null;
create index campaigns_of_tenant on campaigns (tenant_id, id desc);
create index campaigns_due on campaigns (scheduled_at) where status = 'scheduled';

create table runs (
  site_id uuid not null references sites,
  id uuid not null unique,
  tenant_id uuid not null,
  campaign_id uuid not null,
  kind text not null check (kind in ('live', 'test')),
  status text not null default 'queued'
    check (status in ('queued', 'sending', 'stopping', 'completed', 'stopped', 'failed')),
  -- Tests are claimed before live runs.
  priority smallint not null check (priority = case kind when 'test' then 1 else 0 end),
  -- What is sent, frozen: a run knows no campaign. { title, body, url, imageUrl }.
  message jsonb not null,
  topic_ids uuid[] not null default '{}',
  ttl_seconds integer not null,
  urgency text not null,
  idempotency_key text,
  -- Subscribers above this id came after the send.
  max_subscriber_id bigint not null,
  plan_cursor bigint not null default 0,
  planned_batches integer not null default 0,
  lanes text[] not null default '{}',
  planned_at timestamptz,
  expires_at timestamptz not null,
  stop_requested_at timestamptz,
  -- Recipients handed to workers so far: the least served run is claimed first.
  served bigint not null default 0,
  -- What the send answered: the audience counted, at most to a limit.
  expected_audience bigint not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (site_id, id),
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id),
  check ((status in ('completed', 'stopped', 'failed')) = (finished_at is not null)),
  check (status not in ('stopping', 'stopped') or stop_requested_at is not null)
);
-- One live run a campaign, whatever the number of callers: the promise itself.
create unique index one_live_run_a_campaign on runs (site_id, campaign_id) where kind = 'live';
create index runs_of_campaign on runs (site_id, campaign_id, id desc);
create index open_runs on runs (priority desc, served) where status in ('queued', 'sending', 'stopping');

-- A batch is at most 1,000 recipients of one lane; a recipient is one byte of `codes` (docs/states.md).
-- fillfactor 60 leaves room on the page for the next version, so that a flush stays a HOT update; an index on
-- lease_until or on the counts would end that.
create table run_batches (
  site_id uuid not null,
  run_id uuid not null,
  no integer not null,
  lane text not null,
  size smallint not null check (size between 1 and 1000),
  state text not null default 'ready' check (state in ('ready', 'open', 'parked', 'done')),
  -- The fence: whoever claims the batch raises it, and a flush with an older number changes nothing.
  attempt integer not null default 0,
  owner text,
  lease_until timestamptz,
  not_before timestamptz,
  pending smallint not null,
  accepted smallint not null default 0,
  gone smallint not null default 0,
  failed smallint not null default 0,
  expired smallint not null default 0,
  not_sent smallint not null default 0,
  unknown smallint not null default 0,
  -- Beside the sum: sent a second time because nobody knew whether the first had left.
  repeated integer not null default 0 check (repeated >= 0),
  codes bytea not null,
  primary key (site_id, run_id, no),
  foreign key (site_id, run_id) references runs (site_id, id),
  check (pending + accepted + gone + failed + expired + not_sent + unknown = size),
  check (least(pending, accepted, gone, failed, expired, not_sent, unknown) >= 0),
  check (octet_length(codes) = size),
  check ((state = 'open') = (owner is not null and lease_until is not null)),
  check (state <> 'done' or pending = 0),
  check (state <> 'parked' or not_before is not null)
) with (fillfactor = 60);
create index open_batches on run_batches (site_id, run_id, lane, no) where state <> 'done';
-- Codes are rewritten at each flush and hardly compress: TOAST would move them out of the page and end HOT.
alter table run_batches alter column codes set storage plain;

create table run_recipients (
  site_id uuid not null,
  run_id uuid not null,
  no integer not null,
  subscriber_ids bigint[] not null,
  primary key (site_id, run_id, no),
  foreign key (site_id, run_id, no) references run_batches (site_id, run_id, no) on delete cascade
);

create table run_totals (
  site_id uuid not null,
  run_id uuid not null,
  lane text not null,
  code smallint not null,
  n bigint not null check (n > 0),
  primary key (site_id, run_id, lane, code),
  foreign key (site_id, run_id) references runs (site_id, id)
);

-- A push service that told us to wait, or that refuses our key.
create table lanes (
  site_id uuid not null references sites on delete cascade,
  origin text not null,
  not_before timestamptz,
  held_reason text,
  primary key (site_id, origin)
);

-- The tables of moves, restated: a script at 3 a.m. cannot break them. src/campaigns/states.ts and
-- src/runs/states.ts hold the same pairs, and a test compares every pair.
create function refuse_illegal_move() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not (old.status || '>' || new.status = any (tg_argv)) then
    raise exception '% may not move from % to %', tg_table_name, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger campaign_moves before update of status on campaigns for each row
  execute function refuse_illegal_move('draft>scheduled', 'draft>started', 'draft>cancelled',
    'scheduled>started', 'scheduled>cancelled', 'scheduled>failed');

create trigger run_moves before update of status on runs for each row
  execute function refuse_illegal_move('queued>sending', 'queued>stopping', 'queued>completed', 'queued>failed',
    'sending>stopping', 'sending>completed', 'sending>failed', 'stopping>stopped', 'stopping>failed');

-- The status that people see: a campaign is not told that its run ended.
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
