-- Devices of members that are told of suggested stories, and what they are to be told. Creates two tables, and locks only
-- what their foreign keys name. A device of an editor is no subscriber: nothing counts it as a reader.
create table editor_devices (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  user_id uuid not null references users on delete cascade,
  endpoint text not null check (char_length(endpoint) between 1 and 2048),
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 16),
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  lane text not null,
  created_at timestamptz not null default now(),
  unique (site_id, endpoint_hash),
  foreign key (tenant_id, site_id) references sites (tenant_id, id)
);
create index editor_devices_of_user on editor_devices (user_id, site_id);

create table editor_nudges (
  device_id uuid not null references editor_devices on delete cascade,
  site_id uuid not null,
  campaign_id uuid not null,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (device_id, campaign_id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create index editor_nudges_due on editor_nudges (due_at);
