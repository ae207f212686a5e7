-- Sites that are held after a restore: paused until a person says that sends go on. The pause is the hold's own where both
-- have the same time. A pause that is lifted ends the hold. Adds an empty column, and locks nothing for long.
alter table sites add column held_at timestamptz;
