-- A second factor at the sign-in: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for its loss.

create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- The shared secret, sealed with SECRET_KEY.
  secret_sealed bytea not null,
  -- Null until a first code has shown that the app has the secret: until then the sign-in asks for none.
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

-- Sign-ins whose password was right and whose code is awaited.
create table sign_in_challenges (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  remember_me boolean not null,
  expires_at timestamptz not null
);
create index sign_in_challenges_of_user on sign_in_challenges (user_id);

create or replace function end_password_links() returns trigger language plpgsql as $$
begin
  delete from password_links where user_id = new.user_id;
  delete from sign_in_challenges where user_id = new.user_id;
  return null;
end $$;

-- Passkeys (WebAuthn): each signs its person in without a password, and proves who they are by the device's own lock.
create table passkeys (
  -- The credential id, base64url, as the authenticator chose it.
  credential_id text primary key check (char_length(credential_id) <= 1400),
  user_id uuid not null references users on delete cascade,
  public_key bytea not null,
  -- Of the last use. Many passkeys always say 0; for others a lower one shows a copy.
  counter bigint not null,
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);
