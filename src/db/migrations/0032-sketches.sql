-- What members have typed on the compose page, kept for them as they type. Creates a table, and locks only what its foreign
-- keys name.
create table sketches (
  -- Chosen by the browser, so that a repeated save is no second sketch.
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  -- Whose it is: other members do not see it.
  user_id uuid not null references users on delete cascade,
  -- The campaign that it was saved as last.
  campaign_id uuid,
  -- Whether that campaign has all of it.
  in_campaign boolean not null default false,
  -- JSON, as text: it is read only as a whole.
  content text not null check (octet_length(content) <= 65536),
  -- Counts the saves. A save that names an older one comes from a page that does not know the last, unless it is that page.
  revision integer not null default 1,
  page uuid not null,
  saved_at timestamptz not null default now(),
  foreign key (tenant_id, site_id) references sites (tenant_id, id) on delete cascade,
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create index sketches_of_member on sketches (site_id, user_id, saved_at);
create index sketches_by_age on sketches (saved_at);
