-- People, how they sign in, and API keys. Users, accounts, sessions and verifications are better-auth's tables under other names:
-- src/access/accounts/sessions.ts maps them.

create table users (
  id uuid primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  -- When the last membership ended. Null: the user has a membership.
  left_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The name and address of a person, for pages. A person without a name of their own has the first part of the address as name.
create function label_of(person users) returns text language sql immutable
  return case when person.name = split_part(person.email, '@', 1) then person.email
    else person.name || ' (' || person.email || ')' end;

create index users_who_left on users (left_at) where left_at is not null;

-- How a user signs in. provider_id 'credential' holds an argon2id hash.
create table accounts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);

create table members (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- For all sites. Null: the member has only the roles in site_roles.
  role text check (role in ('owner', 'editor', 'viewer')),
  -- The provider's groups gave this membership, and may take it. It counts only in sessions that began at the provider.
  from_provider boolean not null default false,
  created_at timestamptz not null default now(),
  unique (tenant_id, user_id),
  constraint provider_gives_a_role check (role is not null or not from_provider)
);
create index members_of_user on members (user_id);

-- The roles of members for single sites. Where a member has both, the higher role counts (site_members).
create table site_roles (
  tenant_id uuid not null,
  user_id uuid not null,
  site_id uuid not null,
  role text not null check (role in ('editor', 'viewer')),
  primary key (site_id, user_id),
  foreign key (tenant_id, user_id) references members (tenant_id, user_id) on delete cascade,
  foreign key (tenant_id, site_id) references sites (tenant_id, id) on delete cascade
);
create index site_roles_of_member on site_roles (tenant_id, user_id);

-- What each member may do on each site: the one place that says so.
create view site_members as
  select m.tenant_id, s.id as site_id, m.user_id, m.id as member_id,
    case when m.role = 'owner' then 'owner' when 'editor' in (m.role, r.role) then 'editor' else 'viewer' end as role
  from members m join sites s on s.tenant_id = m.tenant_id
    left join site_roles r on r.site_id = s.id and r.user_id = m.user_id
  where m.role is not null or r.role is not null;

-- The role that people of a group at the OpenID Connect provider get in a tenant. The group '' is everybody there.
create table provider_roles (
  tenant_id uuid not null references tenants on delete cascade,
  group_name text not null,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  primary key (tenant_id, group_name)
);
create index provider_roles_by_group on provider_roles (group_name);

create trigger member_is_told after insert or update or delete on members for each row
  execute function tell_change('members', 'tenant_id');
create trigger member_end_is_told after update of role or delete on members for each row
  execute function tell_change('access', 'user_id');
create trigger site_role_is_told after insert or update or delete on site_roles for each row
  execute function tell_change('members', 'tenant_id');
create trigger site_role_change_is_told after insert or update or delete on site_roles for each row
  execute function tell_change('access', 'user_id');

-- Invitations to a tenant: the holder of the link may join, once, until it expires.
create table invitations (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  email text not null check (email = lower(email)),
  -- Null: the person gets only site_roles, a list of {siteId, role}.
  role text check (role in ('owner', 'editor', 'viewer')),
  site_roles jsonb not null default '[]',
  -- SHA-256 of the link's token. 256 random bits need no slow hash.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- An owner. Their invitations end with their ownership.
  invited_by uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (tenant_id, email)
);

create trigger invitation_is_told after insert or update or delete on invitations for each row
  execute function tell_change('members', 'tenant_id');

-- Sessions of people in the dashboard. They end 30 days after their sign-in, however much they are used.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Worthless without SECRET_KEY: the cookie has it with a signature.
  token text not null unique,
  active_tenant_id uuid references tenants on delete set null,
  ip_address text,
  user_agent text,
  -- The last use, to within five minutes.
  used_at timestamptz not null default now(),
  -- When the person last proved who they are, at the sign-in or later.
  authenticated_at timestamptz not null default now(),
  -- By what the person proved it at the sign-in. 'code': the password and a code of the second factor.
  proof text not null default 'password' check (proof in ('password', 'code', 'passkey', 'provider')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

-- Sessions that began at the provider, which is asked again every ten minutes whether the person may still sign in.
create table provider_sessions (
  session_id uuid primary key references sessions on delete cascade,
  -- Sealed with SECRET_KEY. Null: the provider gave none, so the session ends after twelve hours.
  refresh_token_sealed bytea,
  checked_at timestamptz not null default now()
);
create index provider_sessions_by_check on provider_sessions (checked_at);

-- better-auth has no absolute lifetime: it sets expires_at to a week from now at each renewal.
create function end_session_in_time() returns trigger language plpgsql as $$
begin
  new.expires_at := least(new.expires_at, new.created_at + interval '30 days');
  return new;
end $$;
create trigger session_ends before insert or update of expires_at, created_at on sessions for each row
  execute function end_session_in_time();

create trigger session_end_is_told after delete on sessions for each row
  execute function tell_change('access', 'user_id');

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_of_identifier on verifications (identifier);

-- Links with which a person sets a new password.
create table password_links (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The owner with whose ownership the link ends. Null: a link of the operator, or a link that the person asked for.
  made_by uuid references users on delete cascade,
  -- SHA-256 of the link's token. 256 random bits need no slow hash.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  expires_at timestamptz not null
);
create index password_links_of_user on password_links (user_id);

-- A second factor at the sign-in: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for its loss.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- The shared secret, sealed with SECRET_KEY.
  secret_sealed bytea not null,
  -- Null until a first code has shown that the app has the secret. Until then the sign-in does not ask for a code.
  confirmed_at timestamptz,
  -- The time step of the last accepted code: each code works once (RFC 6238, section 5.2).
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  -- SHA-256 of the code. 80 random bits need no slow hash.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

-- Sign-ins with the right password that still need a code.
create table sign_in_challenges (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  remember_me boolean not null,
  expires_at timestamptz not null
);
create index sign_in_challenges_of_user on sign_in_challenges (user_id);

-- A changed password ends the links and sign-ins that depend on the old one, in the transaction of the change: somebody who finds
-- a link must not undo the new password.
create function end_password_links() returns trigger language plpgsql as $$
begin
  delete from password_links where user_id = new.user_id;
  delete from sign_in_challenges where user_id = new.user_id;
  return null;
end $$;
create trigger password_ends_links after update of password on accounts for each row
  when (old.password is distinct from new.password) execute function end_password_links();

-- Passkeys (WebAuthn): each signs its person in without a password, and proves who they are by the device's own lock.
create table passkeys (
  -- The credential id, base64url, as the authenticator chose it.
  credential_id text primary key check (char_length(credential_id) <= 1400),
  user_id uuid not null references users on delete cascade,
  public_key bytea not null,
  -- The counter of the last use. Many passkeys always say 0. For others, a lower counter shows a copy.
  counter bigint not null,
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

create table api_keys (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  prefix text not null,
  -- SHA-256 of the secret. 190 random bits need no slow hash.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  -- The rights of the key. Null: all rights, even rights that a later version adds.
  scopes text[] check (cardinality(scopes) > 0 and scopes <@ array['preview', 'draft', 'send', 'read', 'report']),
  expires_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- The last time that a valid key came with an Origin header. Such a key is in a web page, where anyone can read it.
  seen_in_browser_at timestamptz
);
create index api_keys_of_tenant on api_keys (tenant_id, id);

-- A fixed window per bucket (docs/decisions/0004-rate-limits.md). Unlogged, because it is written on each request and worthless
-- after a crash: no WAL, no wait for the disk. fillfactor 50 keeps each update on its page (HOT). A bucket is the name of a limit
-- and a hash of the caller, so that nothing about an erased person or tenant stays.
create unlogged table rate_limits (
  bucket text primary key check (bucket ~ '^[a-z_]+:[A-Za-z0-9_-]{43}$'),
  used integer not null,
  resets_at timestamptz not null
) with (fillfactor = 50);
