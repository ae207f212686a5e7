-- Readers whose push service has said that they are gone come back: a permission is revoked and granted again. What they had
-- chosen is kept for `return_days`, under hashes that only their browser can name again, and with which no message can be sent.
-- Adds a column with a constant: no table is rewritten.
alter table sites add column return_days integer default 30 check (return_days between 1 and 365);

create table gone_subscribers (
  site_id uuid not null references sites on delete cascade,
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 16),
  -- The first 16 bytes of SHA-256 of the subscription's `auth`.
  auth_hash bytea not null check (octet_length(auth_hash) = 16),
  topic_ids uuid[] not null,
  -- Of a test device.
  label text,
  gone_at timestamptz not null default now(),
  primary key (site_id, endpoint_hash)
);
create index gone_subscribers_by_age on gone_subscribers (site_id, gone_at);
