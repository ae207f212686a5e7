-- A page of a run's audience that fails is tried again later and smaller, and after many failures not at all
-- (src/runs/plan-failure.ts). And a batch whose owners die one after the other is given up (claim-loop.ts). Adding the
-- columns rewrites nothing.
alter table runs
  -- Pages that failed, less those that succeeded since.
  add column plan_failures smallint not null default 0 check (plan_failures >= 0),
  add column plan_again_at timestamptz,
  -- How many recipients are in no batch because planning was given up. Null: none.
  add column unplanned bigint check (unplanned > 0),
  add check (unplanned is null or planned_at is not null);

-- How many owners in a row let the lease of this batch end without an outcome: they died, or were frozen.
alter table run_batches add column crashes smallint not null default 0 check (crashes >= 0);
