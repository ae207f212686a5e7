-- E-mail that waits to be sent, and links for a new password. A letter is sealed under SECRET_KEY, for it holds an
-- address and often a link that opens a door; it is deleted when it was sent or given up.

create table letters (
  id uuid primary key,
  -- { to, subject, text }, sealed.
  sealed bytea not null,
  tries integer not null default 0,
  -- When it is tried (again): whoever tries it moves this first, so that nobody else does meanwhile.
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index letters_due on letters (due_at);

create table password_links (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the link's token. 256 random bits need no slow hash.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  expires_at timestamptz not null
);
create index password_links_of_user on password_links (user_id);

-- A campaign that a pause holds is told of once each time that it is due.
alter table campaigns add column held_told_for timestamptz;
