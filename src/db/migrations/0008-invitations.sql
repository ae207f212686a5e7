-- Invitations to a tenant: whoever holds the link may join, once, until it expires. And two ways for the dashboard to
-- look at large tables. While the index on subscribers is made, imports and new readers wait.

create table invitations (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'editor', 'viewer')),
  -- SHA-256 of the link's token. 256 random bits need no slow hash.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (tenant_id, email)
);

-- How many readers came in the last weeks, without a walk over all the others.
create index subscribers_by_day on subscribers (site_id, created_at) where not is_test;
