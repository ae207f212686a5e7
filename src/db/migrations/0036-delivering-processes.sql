-- The processes that deliver, and what their settings are: those that decide what becomes of a message must be the same in
-- all of them. Creates a table, and locks nothing.
create table delivering_processes (
  id uuid primary key,
  -- Where it runs, for the operator: host name and process id.
  place text not null,
  -- A hash of each setting, by its name.
  settings jsonb not null,
  seen_at timestamptz not null default now()
);
