-- Readers of another push service who have granted permission become subscribers at their next visit, without a prompt
-- (docs/moving.md), if the site wants that: { workers, formerReaders }. Rewrites nothing.
alter table sites add column take_over jsonb check (jsonb_typeof(take_over) = 'object');

-- How many were taken over, by day (UTC).
create table takeovers (
  site_id uuid not null references sites on delete cascade,
  day date not null,
  readers integer not null,
  primary key (site_id, day)
);
