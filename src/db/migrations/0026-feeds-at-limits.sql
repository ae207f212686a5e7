-- What becomes of an item in quiet hours, and beyond a cap or a gap: it is skipped, or waits as long as it is fresh.
-- Locks feeds for a moment.
alter table feeds add column at_limit text not null default 'skip'
  constraint at_limit_known check (at_limit in ('skip', 'wait'));
