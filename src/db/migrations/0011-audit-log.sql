-- Who did what and when: written in the transaction of the deed, kept for AUDIT_DAYS, read by owners. No personal data
-- but the ids of people, whose names are read from where they live. And who accepted which text of the agreement.

create table audit_entries (
  tenant_id uuid not null references tenants on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- As src/actor.ts names them: user:ID, key:ID, feed:ID, operator, schedule.
  actor text not null,
  -- One of src/audit/events.ts.
  deed text not null,
  site_id uuid,
  -- What it was done to: a campaign, a run, a key, a person, a feed.
  subject_id uuid,
  details jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index audit_entries_by_age on audit_entries (at);
-- What a deleted key was called.
create index audit_entries_of_keys on audit_entries (tenant_id, subject_id) where deed like 'key.%';

alter table tenants
  add column dpa_version text,
  add column dpa_accepted_by text;
