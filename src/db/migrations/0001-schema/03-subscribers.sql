-- Subscribers of a site, what they have chosen, and what is known of them.

create table topics (
  site_id uuid not null references sites on delete cascade,
  id uuid not null unique,
  name text not null check (char_length(name) between 1 and 80),
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, name)
);

create trigger topic_is_told after insert or update or delete on topics for each row
  execute function tell_change('audience', 'site_id');

create table subscribers (
  site_id uuid not null references sites on delete cascade,
  id bigint generated always as identity,
  endpoint text not null,
  -- The first 16 bytes of SHA-256 of the endpoint: the unique key, a tenth of the endpoint's size.
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 16),
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  -- The push service: fcm, mozilla, apple, wns, or an origin of PUSH_SERVICES.
  push_service text not null,
  -- Whether the browser reports displays: one that shows notifications without a service worker does not (declarative Web
  -- Push). As the browser has said, else by its push service.
  reports_displays boolean not null default true,
  -- The numbers of other rows of the same browser that were merged into this one, the last eight: of a run that has several
  -- of them the browser gets one message (src/runs/merged-readers.ts).
  merged_ids bigint[] not null default '{}',
  is_test boolean not null default false,
  label text,
  -- Whether a browser registered it. False: imported.
  registered boolean not null default false,
  -- How the reader's yes came: to our prompt, to a button of the site, with a list, at another service, by a test link.
  -- Null: not known.
  consent text check (consent in ('prompt', 'page', 'imported', 'migrated', 'test')),
  consented_at timestamptz,
  -- The version of the prompt's texts. Null: the yes was not to our prompt, or its texts are not known.
  consent_version text,
  -- Whether its push service has accepted a message. Recorded once: for registered ones, and for a few imported ones of
  -- each claim.
  accepted boolean not null default false,
  -- Runs in a row whose message its push service refused with 401 or 403. After three it is not reachable: a push service
  -- takes a sender that goes on for an attacker.
  refused_runs smallint not null default 0 check (refused_runs >= 0),
  -- IANA, of the browser. Null: not known, as of imported ones.
  time_zone text,
  -- The day (UTC) of the last visit or click, and of the last click on a notification. Null: none. In no index, so that an update
  -- stays within its page.
  seen_on date,
  clicked_on date,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, endpoint_hash),
  check (is_test or label is null)
);
-- Without statistics PostgreSQL expects an average site. With them it expects one reader of a site that they do not know, and
-- then reads all readers of the site to find one. So for all tables that grow with readers.
alter table subscribers alter column site_id set statistics 0;
create index test_subscribers on subscribers (site_id, id) where is_test;
-- The audience of a send is counted from this index alone: a million readers in a tenth of a second, where the table takes
-- six. Its condition is `isReachable` of src/subscribers/queries.ts.
create index reachable_subscribers on subscribers (site_id) where not is_test and refused_runs < 3;
create index refused_subscribers on subscribers (site_id, push_service) where refused_runs > 0;
create index registered_subscribers on subscribers (site_id, created_at) where registered and not is_test;
create index subscribers_by_day on subscribers (site_id, created_at) where not is_test;
-- A run finds its zones in it, with one look for each.
create index subscribers_by_zone on subscribers (site_id, time_zone) where time_zone is not null;

create table subscriber_topics (
  site_id uuid not null,
  topic_id uuid not null,
  subscriber_id bigint not null,
  primary key (site_id, topic_id, subscriber_id),
  foreign key (site_id, topic_id) references topics (site_id, id) on delete cascade,
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
alter table subscriber_topics alter column site_id set statistics 0;
create index topics_of_subscriber on subscriber_topics (site_id, subscriber_id);

-- How many subscribers joined a site, by day, also those that are gone. A trigger writes it in the statement that adds them.
create table subscribers_joined (
  site_id uuid not null references sites on delete cascade,
  -- In the time zone that the site had then.
  day date not null,
  -- By a browser. False: imported. Apart, so that a long import makes no registration wait for its commit.
  registered boolean not null,
  n bigint not null,
  primary key (site_id, day, registered)
);

create function count_joined() returns trigger language plpgsql as $$
begin
  insert into subscribers_joined as j (site_id, day, registered, n)
  select added.site_id, (added.created_at at time zone s.time_zone)::date, added.registered, count(*)
  from added join sites s on s.id = added.site_id
  where not added.is_test
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (site_id, day, registered) do update set n = j.n + excluded.n;
  return null;
end
$$;
create trigger subscribers_are_counted after insert on subscribers
  referencing new table as added for each statement execute function count_joined();

-- How many subscribers are not there any more, by day. The statement that deletes them writes it (src/subscribers/left-days.ts).
create table subscribers_left (
  site_id uuid not null references sites on delete cascade,
  -- In the time zone that the site had then.
  day date not null,
  -- unsubscribed: by the reader; expired: dormant; gone: as their push service said. deleted: they did not leave: an owner deleted
  -- them, they became a test device, or they were merged with another of the same browser.
  reason text not null check (reason in ('unsubscribed', 'expired', 'gone', 'deleted')),
  -- Spreads what the processes of a site find gone at the same time over several rows: none waits for the commit of another.
  part smallint not null,
  n bigint not null,
  primary key (site_id, day, reason, part)
);

-- How many readers left a site, by day: the one definition of "left" (docs/figures.md).
create view readers_left as
  select site_id, day, sum(n)::bigint as n from subscribers_left where reason <> 'deleted' group by site_id, day;

-- How many new registrations an hour a site takes, where that was once more than the least: kept for an hour, because it
-- is a share of a count.
create table registration_quotas (
  site_id uuid primary key references sites on delete cascade,
  quota integer not null check (quota > 0),
  valid_until timestamptz not null,
  -- When the owners were last warned that the quota was used up.
  warned_at timestamptz
);

-- The texts of prompts that readers have said yes to, by the hash of their texts.
create table consent_texts (
  site_id uuid not null references sites (id) on delete cascade,
  -- The first 8 bytes of SHA-256 of the texts, in hexadecimal.
  version text not null check (version ~ '^[0-9a-f]{16}$'),
  texts jsonb not null,
  first_at timestamptz not null default now(),
  primary key (site_id, version)
);

-- How many readers of another push service were migrated, by day (UTC).
create table migrated_subscriptions (
  site_id uuid not null references sites on delete cascade,
  day date not null,
  readers integer not null,
  primary key (site_id, day)
);

-- Readers whose push service has said that they are gone come back: a permission is revoked and granted again. What they had
-- chosen is kept for `return_days` of the site, under hashes that only their browser can name again, and with which no
-- message can be sent.
create table gone_subscribers (
  site_id uuid not null references sites on delete cascade,
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 16),
  -- The first 16 bytes of SHA-256 of the subscription's `auth`.
  auth_hash bytea not null check (octet_length(auth_hash) = 16),
  topic_ids uuid[] not null,
  preferences jsonb,
  -- The label of a test device.
  label text,
  gone_at timestamptz not null default now(),
  primary key (site_id, endpoint_hash)
);
create index gone_subscribers_by_age on gone_subscribers (site_id, gone_at);

-- Readers who have left a site or had their data deleted, so that a later import of an old list does not bring them back. Only
-- who has the address of the subscription finds it here, and only for this site.
create function left_hash(site_id uuid, endpoint_hash bytea) returns bytea language sql immutable
  return substring(sha256(uuid_send(site_id) || endpoint_hash) for 16);

create table left_subscribers (
  site_id uuid not null references sites on delete cascade,
  hash bytea not null check (octet_length(hash) = 16),
  left_at timestamptz not null default now(),
  primary key (site_id, hash)
);

-- Readers who had all that is known of them deleted, until maintenance has taken their number out of the lists of recipients.
create table erased_subscribers (
  site_id uuid not null references sites (id) on delete cascade,
  subscriber_id bigint not null,
  primary key (site_id, subscriber_id)
);

-- Segments: readers by what is known of their subscriptions (docs/decisions/0024).
create table segments (
  site_id uuid not null references sites on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  -- What its readers have in common: src/subscribers/segments/segment.ts.
  rule jsonb not null check (jsonb_typeof(rule) = 'object'),
  created_at timestamptz not null default now(),
  -- Campaigns that have it keep it.
  retired_at timestamptz,
  primary key (site_id, id)
);
create unique index segments_by_name on segments (site_id, name) where retired_at is null;

create trigger segment_is_told after insert or update or delete on segments for each row
  execute function tell_change('audience', 'site_id');

-- What readers ask for: at most so many notifications a day, quiet hours of their own, and a digest of what was suppressed
-- (docs/decisions/0020). Planning reads it for sites where a reader has asked for anything.
create table reader_preferences (
  site_id uuid not null,
  subscriber_id bigint not null,
  max_a_day smallint check (max_a_day between 1 and 50),
  -- Minutes since midnight where the reader is; until is below from where they span midnight.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  -- Whether breaking news comes through quiet hours and limits.
  breaking boolean not null default false,
  -- Null: no digest; a suppressed notification is dropped.
  digest_at smallint check (digest_at between 0 and 1439),
  -- IANA.
  time_zone text not null,
  -- How many notifications were planned for the reader on this day of theirs.
  used_on date,
  used smallint not null default 0,
  -- The runs that the next digest is of, oldest first, and those that the last one was of.
  suppressed uuid[] not null default '{}',
  digested uuid[] not null default '{}',
  digest_due_at timestamptz,
  primary key (site_id, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade,
  check ((quiet_from is null) = (quiet_until is null))
);
alter table reader_preferences alter column site_id set statistics 0;
create index reader_zones on reader_preferences (site_id, time_zone);
create index due_digests on reader_preferences (digest_due_at) where digest_due_at is not null;

-- Stories of which readers want to hear no more.
create table muted_stories (
  site_id uuid not null,
  -- The first 16 bytes of SHA-256 of the story's id, or of its address.
  story bytea not null check (octet_length(story) = 16),
  subscriber_id bigint not null,
  title text not null,
  muted_at timestamptz not null default now(),
  primary key (site_id, story, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
alter table muted_stories alter column site_id set statistics 0;
create index mutes_of_subscriber on muted_stories (site_id, subscriber_id);
create index mutes_by_age on muted_stories (muted_at);

-- Readers whose welcome is under way, so that nothing looks through all subscribers.
create table welcome_due (
  site_id uuid not null,
  subscriber_id bigint not null,
  -- The next one, from 1.
  step smallint not null check (step between 1 and 4),
  -- Null: there is no next one, and the run of the last is not expired yet.
  due_at timestamptz,
  -- The run of the step before. Null: the reader did not get it.
  run_id uuid,
  primary key (site_id, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
create index due_welcomes on welcome_due (site_id, due_at) where due_at is not null;
create index readers_of_welcome on welcome_due (site_id, run_id) where run_id is not null;

-- Devices of members that are told of suggested stories. They are no subscribers: nothing counts them as readers.
create table editor_devices (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  user_id uuid not null references users on delete cascade,
  endpoint text not null check (char_length(endpoint) between 1 and 2048),
  endpoint_hash bytea not null check (octet_length(endpoint_hash) = 16),
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  push_service text not null,
  created_at timestamptz not null default now(),
  unique (site_id, endpoint_hash),
  foreign key (tenant_id, site_id) references sites (tenant_id, id)
);
create index editor_devices_of_user on editor_devices (user_id, site_id);
