-- What of a run's receipts came from Android: Chrome hides there what it takes for spam, and its clicks fall (docs/readers.md).
-- Numbers only, of no reader. The columns rewrite nothing.
alter table receipt_hours
  add column android_displayed bigint not null default 0,
  add column android_clicked bigint not null default 0;
