-- The segment to which a feed's items go. Null: all readers, or those of their topics.
alter table feeds add column segment_id uuid;
