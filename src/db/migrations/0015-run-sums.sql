-- What a run counts is summed from its batches while it goes on, and from its totals once it has ended: its batches need
-- not stay for that. Reads run_batches once, and locks runs meanwhile: half a second for each GB of it that is in memory,
-- else what the disk needs.

-- Beside the totals by code: how many messages left twice. Written when the run ends.
alter table runs add column repeated bigint not null default 0 check (repeated >= 0);

update runs r set repeated = b.repeated
  from (select site_id, run_id, sum(repeated) as repeated from run_batches where repeated > 0 group by site_id, run_id) b
  where b.site_id = r.site_id and b.run_id = r.id and r.finished_at is not null;

-- Of these the recipients are gone and the batches are not: src/runs/expire-batches.ts takes them up once more.
update runs set pruned_at = null where pruned_at is not null;

-- The sums of each run. The first digit of a code is its class (src/runs/codes.ts). Of the two halves PostgreSQL does only
-- the one whose condition holds, and does not touch the other's table.
create view run_sums as
  select r.site_id, r.id as run_id, s.*
  from runs r cross join lateral (
    select coalesce(sum(b.size), 0)::bigint as size, coalesce(sum(b.pending), 0)::bigint as pending,
      coalesce(sum(b.accepted), 0)::bigint as accepted, coalesce(sum(b.gone), 0)::bigint as gone,
      coalesce(sum(b.failed), 0)::bigint as failed, coalesce(sum(b.expired), 0)::bigint as expired,
      coalesce(sum(b.not_sent), 0)::bigint as not_sent, coalesce(sum(b.unknown), 0)::bigint as unknown,
      coalesce(sum(b.repeated), 0)::bigint as repeated
    from run_batches b where b.site_id = r.site_id and b.run_id = r.id having r.finished_at is null
    union all
    select coalesce(sum(t.n), 0)::bigint, 0,
      coalesce(sum(t.n) filter (where t.code >> 4 = 2), 0)::bigint, coalesce(sum(t.n) filter (where t.code >> 4 = 3), 0)::bigint,
      coalesce(sum(t.n) filter (where t.code >> 4 = 4), 0)::bigint, coalesce(sum(t.n) filter (where t.code >> 4 = 5), 0)::bigint,
      coalesce(sum(t.n) filter (where t.code >> 4 = 6), 0)::bigint, coalesce(sum(t.n) filter (where t.code >> 4 = 7), 0)::bigint,
      r.repeated
    from run_totals t where t.site_id = r.site_id and t.run_id = r.id having r.finished_at is not null) s;
