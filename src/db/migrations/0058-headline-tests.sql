-- A test of headlines: a share of a run's audience gets variants of its message, and the rest waits for the one that is
-- chosen. The columns rewrite nothing.
create table headline_tests (
  site_id uuid not null,
  run_id uuid not null,
  -- The message of each variant, the campaign's own first.
  messages jsonb not null check (jsonb_array_length(messages) between 2 and 4),
  -- How many of a hundred recipients take part, and how long the rest waits at most.
  share smallint not null check (share between 1 and 100),
  minutes smallint not null check (minutes > 0),
  -- Null: the test runs. `figures`: of its end, a list in the order of the variants.
  ended_at timestamptz,
  outcome text check (outcome in ('winner', 'no_difference', 'too_few', 'stopped')),
  chosen smallint,
  figures jsonb,
  primary key (site_id, run_id),
  foreign key (site_id, run_id) references runs (site_id, id),
  check ((ended_at is null) = (outcome is null)),
  check ((ended_at is null) = (figures is null)),
  check ((chosen is null) = (outcome is null or outcome = 'stopped'))
);
create index running_headline_tests on headline_tests (run_id) where ended_at is null;

-- Which message its recipients get: that of a variant (from 0), or the run's. Of a run with a test the batches without one
-- are parked until infinity.
alter table run_batches add column variant smallint;
