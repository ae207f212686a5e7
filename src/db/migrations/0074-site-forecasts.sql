-- What was learnt from the nudges of a site (docs/decisions/0026). Made anew every day from receipts, exported and erased with
-- the site.
create table site_forecasts (
  site_id uuid primary key references sites (id) on delete cascade,
  learnt_at timestamptz not null default now(),
  -- Null: its history is too short, and so are those of the others.
  learnt jsonb check (jsonb_typeof(learnt) = 'object')
);
create index site_forecasts_by_age on site_forecasts (learnt_at);
