-- A subscription that its push service refuses in run after run is left out: it is not reachable, and a service takes
-- a sender that goes on for an attacker. Adding the column rewrites nothing.
alter table subscribers
  -- Runs in a row whose message it refused with 401 or 403.
  add column refused_runs smallint not null default 0 check (refused_runs >= 0);

-- Why a lane waits: null for a push service that asked us to.
alter table lanes add constraint held_reasons check (held_reason in ('unauthorized', 'forbidden'));
