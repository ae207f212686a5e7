-- What a run counts by reason is summed from its batches while it goes on, without reading their codes: 5 MB for five million
-- recipients, at each look at the run. Three bytes for each final code in `codes`: the code, and how often it occurs (big
-- endian). `counted` is the sum: as final codes only come and never go, the entries are up to date exactly where it is
-- `size - pending`. A process of an older version writes codes without them: there they are counted anew.
alter table run_batches
  add column code_counts bytea not null default '',
  add column counted smallint not null default 0;
-- Rewritten at each flush, and hardly compresses.
alter table run_batches alter column code_counts set storage plain;
