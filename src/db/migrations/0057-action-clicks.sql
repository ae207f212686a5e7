-- Clicks on the buttons of a nudge, apart: receipts of kind 5 and 6, beside the click (2) that each also is. Rewrites nothing.
alter table receipt_bits drop constraint receipt_bits_kind_check;
alter table receipt_bits add constraint receipt_bits_kind_check check (kind between 1 and 6) not valid;
alter table receipt_hours
  add column action1 integer not null default 0,
  add column action2 integer not null default 0;
