-- The audit log, e-mails that wait, and the identity of this database.

-- Events: who did what and when. Each is written in the transaction of its change and kept for AUDIT_DAYS. The only personal data
-- are the ids of people, whose names are read from their own tables.
create table audit_events (
  tenant_id uuid not null references tenants on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- In the form of src/actor.ts: user:ID, key:ID, feed:ID, operator, schedule. The log reads names by these ids.
  actor text not null check (actor ~ '^[a-z]+(:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$'),
  -- One of src/audit/events.ts.
  event text not null,
  site_id uuid,
  -- The subject of the event: a campaign, a run, a key, a person, a feed.
  subject_id uuid,
  details jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index audit_events_by_age on audit_events (at);
-- Pages through what one person did.
create index audit_events_of_actor on audit_events (tenant_id, actor, id desc);
-- Finds the name of a deleted key.
create index audit_events_of_keys on audit_events (tenant_id, subject_id) where event like 'key.%';
-- Finds who sent and scheduled a campaign.
create index audit_events_of_sends on audit_events (tenant_id, subject_id)
  where event in ('campaign.sent', 'campaign.scheduled');

-- E-mails that wait to be sent. They are sealed under SECRET_KEY, because each holds an address and often a link that gives
-- access. An e-mail that was sent or given up is deleted.
create table emails (
  id uuid primary key,
  -- { to, subject, text }, sealed.
  sealed bytea not null,
  tries integer not null default 0,
  -- When it is tried (again). The process that tries it moves this first, so that no other process does meanwhile.
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index emails_due on emails (due_at);

-- The database in which Pressbell ran last. A restore by other means than Pressbell's brings the row of another database, so the
-- next start notices and quarantines all sites.
create table database_identity (
  id boolean primary key default true check (id),
  -- PostgreSQL's system identifier, and the oid of the database. A standby has the same; after pg_restore it differs.
  identity text not null
);
