-- The audit log, e-mails that wait, and which database this is.

-- Events: who did what and when, each written in the transaction of its change and kept for AUDIT_DAYS. No personal data but
-- the ids of people, whose names are read from where they live.
create table audit_events (
  tenant_id uuid not null references tenants on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- As src/actor.ts names them: user:ID, key:ID, feed:ID, operator, schedule.
  actor text not null,
  -- One of src/audit/events.ts.
  event text not null,
  site_id uuid,
  -- What the event is about: a campaign, a run, a key, a person, a feed.
  subject_id uuid,
  details jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index audit_events_by_age on audit_events (at);
-- What a deleted key was called.
create index audit_events_of_keys on audit_events (tenant_id, subject_id) where event like 'key.%';
-- Who sent and scheduled a campaign.
create index audit_events_of_sends on audit_events (tenant_id, subject_id)
  where event in ('campaign.sent', 'campaign.scheduled');

-- E-mails that wait to be sent, sealed under SECRET_KEY, because each holds an address and often a link that opens a door.
-- One that was sent or given up is deleted.
create table emails (
  id uuid primary key,
  -- { to, subject, text }, sealed.
  sealed bytea not null,
  tries integer not null default 0,
  -- When it is tried (again): the process that tries it moves this first, so that no other does meanwhile.
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index emails_due on emails (due_at);

-- In which database the service ran last: a restore by other means than Pressbell's brings the row of another one, so the
-- next start recognises this and quarantines all sites.
create table database_identity (
  id boolean primary key default true check (id),
  -- PostgreSQL's system identifier, and the oid of the database. The same on a standby, another one after pg_restore.
  identity text not null
);
