-- In which database the service ran last: a restore by other means than Pressbell's brings the row of another one, so the
-- next start knows of it and holds all sends. Creates a table, and locks nothing.
create table database_identity (
  id boolean primary key default true check (id),
  -- PostgreSQL's system identifier, and the oid of the database. The same on a standby, another one after pg_restore.
  identity text not null
);
