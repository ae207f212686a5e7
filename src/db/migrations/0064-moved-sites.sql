-- Sites whose whole content was exported for another installation, which sends from then on: paused here, and not resumed by
-- mistake, since readers would be nudged twice. Adds an empty column; the check reads the small table sites.
alter table sites add column moved_at timestamptz,
  add constraint moved_sites_are_paused check (moved_at is null or paused_at is not null);
