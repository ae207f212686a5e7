-- The texts of prompts that readers have said yes to, by the hash of their texts.
create table consent_texts (
  site_id uuid not null references sites (id) on delete cascade,
  -- The first 8 bytes of SHA-256 of the texts, in hexadecimal.
  version text not null check (version ~ '^[0-9a-f]{16}$'),
  texts jsonb not null,
  first_at timestamptz not null default now(),
  primary key (site_id, version)
);

alter table subscribers
  -- How the reader's yes came: to our prompt, to a button of the site, with a list, at another service, by a test link.
  -- Null: from before this was kept.
  add column consent text check (consent in ('prompt', 'page', 'imported', 'taken_over', 'test')),
  add column consented_at timestamptz,
  -- Of the prompt's texts. Null: not to our prompt, or its texts are not known any more.
  add column consent_version text;
