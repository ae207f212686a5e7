-- What readers did with a run by the minute: the first hours of a nudge, and the clicks per minute of a site. Deleted after
-- three days; receipt_hours stay. Creates a table, and an index on the audit log, whose writers wait while it is read.
create table receipt_minutes (
  site_id uuid not null,
  -- By the database's clock, UTC.
  minute timestamptz not null,
  run_id uuid not null,
  displayed integer not null default 0,
  clicked integer not null default 0,
  primary key (site_id, minute, run_id),
  foreign key (site_id, run_id) references runs (site_id, id)
) with (fillfactor = 60);
create index receipt_minutes_by_age on receipt_minutes (minute);

-- Who sent and scheduled a campaign.
create index audit_entries_of_sends on audit_entries (tenant_id, subject_id)
  where deed in ('campaign.sent', 'campaign.scheduled');
