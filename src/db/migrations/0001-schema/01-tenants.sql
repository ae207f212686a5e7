-- Tenants and their sites. `site_id` is the first column of every hot key in this schema, so that each large table can be
-- partitioned by it.

-- Refuses a status that its table of moves does not have, so that a script at 3 a.m. cannot break the rules. Each `states.ts` in
-- src/ has the same pairs as the trigger of its table, and a test compares every pair.
create function refuse_illegal_move() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not (old.status || '>' || new.status = any (tg_argv)) then
    raise exception '% may not move from % to %', tg_table_name, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Tells all processes, when the transaction commits, about a change that open pages of the dashboard show
-- (src/dashboard-api/site-changes.ts). Its arguments: the kind of change, and the column with the id of the site, tenant or user
-- that it belongs to. Do not use it for tables that delivery or readers write often: notices of all transactions pass one lock.
create function tell_change() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  if tg_op = 'DELETE' then changed := to_jsonb(old); else changed := to_jsonb(new); end if;
  perform pg_notify('pressbell_changes', tg_argv[0] || ' ' || (changed ->> tg_argv[1]));
  return null;
end $$;

create table tenants (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  plan text not null,
  paused_at timestamptz,
  -- Who accepted which text of the agreement, and when.
  dpa_accepted_at timestamptz,
  dpa_version text,
  dpa_accepted_by text,
  -- A send from the dashboard to more people than this needs a second person. Null: one person is enough. 0:
  -- every send needs two.
  confirm_above integer check (confirm_above between 0 and 1000000),
  -- Whether members may act only in sessions that began with a second factor, a passkey or the provider.
  requires_second_factor boolean not null default false,
  -- The most sites of the tenant, and the most topics of each site.
  site_limit integer not null default 100 check (site_limit between 1 and 10000),
  topic_limit integer not null default 200 check (topic_limit between 1 and 10000),
  -- When the erasure of the tenant was asked for. Maintenance then deletes its rows, this row last.
  erase_at timestamptz,
  created_at timestamptz not null default now()
);
create index tenants_to_erase on tenants (id) where erase_at is not null;

create trigger tenant_is_told after update on tenants for each row
  execute function tell_change('settings', 'id');

create table sites (
  id uuid primary key,
  tenant_id uuid not null references tenants,
  name text not null check (char_length(name) between 1 and 200),
  url text not null,
  -- The web origin of `url`, as browsers write it.
  origin text not null,
  -- Web origins, besides the origin of `url`, whose pages may subscribe readers.
  origins text[] not null default '{}' check (cardinality(origins) <= 20),
  time_zone text not null default 'UTC',
  icon_url text,
  vapid_public_key bytea not null check (octet_length(vapid_public_key) = 65),
  vapid_private_key_sealed bytea not null,
  created_at timestamptz not null default now(),

  -- States of the site.
  paused_at timestamptz,
  -- The quarantine after a restore: the site is paused until a person releases it. If both times are equal, the quarantine has
  -- set the pause. Lifting the pause ends the quarantine.
  quarantined_at timestamptz,
  -- When the whole site was exported for another installation, which sends from then on. The site stays paused here, because
  -- readers would otherwise be notified twice.
  moved_at timestamptz,
  -- When the publisher removed the site. Then it sends nothing, its readers are deleted in small pieces, and its sends stay in
  -- the tenant's history.
  removed_at timestamptz,
  -- When the erasure of the site was asked for. Maintenance then deletes its rows, this row last.
  erase_at timestamptz,

  -- Settings of the content decision.
  -- The age in hours from which a story is too old to send.
  freshness_hours integer not null default 48 check (freshness_hours between 1 and 8760),
  -- What happens to a story whose date of publication is unknown. ask: an item of a feed waits for the owner's answer. skip: it
  -- is not sent.
  undated_stories text not null default 'ask' check (undated_stories in ('send', 'ask', 'skip')),
  -- Live sends in 24 hours, and minutes between two live sends. Null: no limit.
  daily_limit integer check (daily_limit between 1 and 1000),
  min_gap_minutes integer check (min_gap_minutes between 1 and 10080),
  -- In the site's own time zone. From 22:00 until 07:00 spans midnight. Null: no quiet hours.
  quiet_from time,
  quiet_until time,

  -- Settings of the sends.
  -- The site's rules for classes of campaigns (src/tenants/sites/campaign-classes.ts). Classes without own rules are absent.
  classes jsonb not null default '{}' check (jsonb_typeof(classes) = 'object'),
  -- What happens to a message that may have been posted when its sender died: it is sent again, or left and counted.
  on_uncertain text not null default 'resend' check (on_uncertain in ('resend', 'skip')),
  -- So many seconds after a send 90 % of its displays are to have come, or the overview warns. Null: no goal.
  screen_goal_seconds integer default 120 check (screen_goal_seconds between 1 and 86400),
  -- Where a notification leads: to the article itself with a token in its fragment, or through Pressbell.
  link_mode text not null default 'token' check (link_mode in ('token', 'redirect')),
  utm_source text,
  utm_medium text,
  utm_campaign text,

  -- Settings of the readers' side.
  -- The site's changes to its soft prompt; src/tenants/sites/reader-settings.ts has the defaults.
  prompt jsonb not null default '{}',
  -- The page of the site on which readers set their preferences.
  preferences_url text,
  -- What the site counts about its readers (docs/privacy.md).
  receipts text not null default 'full' check (receipts in ('full', 'aggregate', 'off')),
  -- A subscription that no browser has confirmed for this long is removed. Null: never.
  dormant_months integer default 12 check (dormant_months between 1 and 120),
  -- How long the choices of a reader who is gone are kept for their return. Null: they are not kept.
  return_days integer default 30 check (return_days between 1 and 365),
  -- What pages may say of a reader, each with its values (src/tenants/sites/declared-facts.ts), and when the site changed it, until
  -- maintenance has taken from readers what is not declared any more.
  facts jsonb not null default '[]' check (jsonb_typeof(facts) = 'array'),
  facts_cut_at timestamptz,
  -- How readers of another push service become subscribers at their next visit (docs/moving.md): { workers, formerReaders }.
  migrate_subscriptions jsonb check (jsonb_typeof(migrate_subscriptions) = 'object'),

  -- What the last check of the installation found on the site (src/dashboard-api/check-installation.ts).
  line_found boolean not null default false,
  worker_found boolean not null default false,

  -- The last day (UTC) on which any reader was seen.
  readers_seen_on date,
  -- The first day for which clicks are known by reader, if the site has full receipts.
  clicks_known_from date not null default (now() at time zone 'UTC')::date,

  -- For composite foreign keys: a row can only point to a site of the same tenant.
  unique (tenant_id, id),
  constraint quiet_hours check (
    (quiet_from is null and quiet_until is null)
    or (quiet_from is not null and quiet_until is not null and quiet_from <> quiet_until)),
  constraint moved_sites_are_paused check (moved_at is null or paused_at is not null)
);
-- These two find whether a web origin belongs to any site, because a receipt names no site.
create index sites_by_origin on sites (origin) where removed_at is null;
create index sites_by_further_origin on sites using gin (origins) where removed_at is null;
create index sites_to_erase on sites (id) where erase_at is not null;

create trigger site_is_told after insert on sites for each row execute function tell_change('settings', 'tenant_id');
-- Registrations and clicks write readers_seen_on, and no page shows it.
create trigger site_change_is_told after update on sites for each row
  when (to_jsonb(old) - 'readers_seen_on' is distinct from to_jsonb(new) - 'readers_seen_on')
  execute function tell_change('settings', 'tenant_id');
create trigger site_end_is_told after update of removed_at, erase_at or delete on sites for each row
  execute function tell_change('access', 'id');
