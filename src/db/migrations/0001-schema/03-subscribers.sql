-- Subscribers of a site, their choices, and what is known of them.

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
  -- Whether the browser reports displays. Browsers that show notifications without a service worker (declarative Web Push) do
  -- not. The browser says so; otherwise its push service decides.
  reports_displays boolean not null default true,
  -- The numbers of other rows of the same browser that were merged into this row: the last eight. If a run has several of these
  -- rows, the browser gets one message (src/runs/merged-readers.ts).
  merged_ids bigint[] not null default '{}',
  is_test boolean not null default false,
  label text,
  -- Whether a browser registered it. False: imported.
  registered boolean not null default false,
  -- How the reader consented: at our prompt, at a button of the site, in an imported list, at another service, or by a test link.
  -- Null: not known.
  consent text check (consent in ('prompt', 'page', 'imported', 'migrated', 'test')),
  consented_at timestamptz,
  -- The version of the prompt (consent_prompts). Null: the reader did not consent at our prompt, or no page got this version.
  consent_version text,
  -- Whether its push service has accepted a message. It is recorded once: for all registered subscribers, and for a few imported
  -- ones of each claim.
  accepted boolean not null default false,
  -- Whether that was so of an earlier address of the same browser, or before its push service refused messages.
  accepted_before boolean not null default false,
  -- Runs in a row whose message its push service refused with 401 or 403. After three runs it is excluded: a push service takes a
  -- sender that continues for an attacker.
  refused_runs smallint not null default 0 check (refused_runs >= 0),
  -- IANA, of the browser. Null: not known, for example for imported subscribers.
  time_zone text,
  -- The language of the browser without its region, such as de. Null: not known, for example for imported subscribers.
  language text check (language ~ '^[a-z]{2,3}$'),
  -- What the site's pages have said of the reader: values by the names of declared facts. A fact that is null was removed by the
  -- reader. Null: nothing. Compact and without an index: planning reads it only for segments that ask for it.
  facts jsonb check (jsonb_typeof(facts) = 'object'),
  -- The day (UTC) of the last visit or click, and of the last click on a notification. Null: none. No index has these columns, so
  -- that an update stays within its page.
  seen_on date,
  clicked_on date,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  primary key (site_id, id),
  unique (site_id, endpoint_hash),
  check (is_test or label is null)
);
-- Without statistics PostgreSQL expects an average site. With statistics it expects one reader for a site that is not in them,
-- and then reads all readers of the site to find one. The same holds for all tables that grow with readers.
alter table subscribers alter column site_id set statistics 0;
create index test_subscribers on subscribers (site_id, id) where is_test;
-- The audience of a send is counted from this index alone: a million readers in a tenth of a second. The table takes six seconds.
-- The index's condition is `isReachable` of src/subscribers/queries.ts.
create index reachable_subscribers on subscribers (site_id) where not is_test and refused_runs < 3;
create index refused_subscribers on subscribers (site_id, push_service) where refused_runs > 0;
create index registered_subscribers on subscribers (site_id, created_at) where registered and not is_test;
create index subscribers_by_day on subscribers (site_id, created_at) where not is_test;
-- A run finds its time zones in this index, with one look for each.
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

-- How many subscribers joined a site, by day, including subscribers that are gone. A trigger writes it in the
-- statement that adds them.
create table subscribers_joined (
  site_id uuid not null references sites on delete cascade,
  -- The day in the site's time zone at that time.
  day date not null,
  -- Whether a browser registered them. False: imported. They are separate so that no registration waits for the
  -- commit of a long import.
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
-- The first steps of a site follow it. Only the first subscriber of a day adds a row, so few transactions notify.
create trigger first_of_day_is_told after insert on subscribers_joined for each row
  execute function tell_change('audience', 'site_id');
create trigger test_device_is_told after insert on subscribers for each row
  when (new.is_test) execute function tell_change('audience', 'site_id');

-- How many subscribers a site has lost, by day. The statement that deletes them writes it (src/subscribers/left-days.ts).
create table subscribers_left (
  site_id uuid not null references sites on delete cascade,
  -- The day in the site's time zone at that time.
  day date not null,
  -- unsubscribed: by the reader. expired: dormant. not_seen: they did not come back after the win-back. gone: their push service
  -- said so. deleted: they did not leave; an owner deleted them, they became a test device, or they were merged with another row
  -- of the same browser.
  reason text not null check (reason in ('unsubscribed', 'expired', 'not_seen', 'gone', 'deleted')),
  -- Divides the counts of processes that find subscribers gone at the same time among several rows, so that none waits for the
  -- commit of another.
  part smallint not null,
  n bigint not null,
  primary key (site_id, day, reason, part)
);

-- How many readers left a site, by day: the one definition of "left" (docs/figures.md). expired: those of them whom no
-- notification drove away: dormant ones, and those who did not come back after the win-back.
create view readers_left as
  select site_id, day, sum(n)::bigint as n,
    coalesce(sum(n) filter (where reason in ('expired', 'not_seen')), 0)::bigint as expired
  from subscribers_left where reason <> 'deleted' group by site_id, day;

-- How many new registrations an hour a site takes, if that is more than the minimum. It is kept for an hour, because it is a
-- share of a count.
create table registration_quotas (
  site_id uuid primary key references sites on delete cascade,
  quota integer not null check (quota > 0),
  valid_until timestamptz not null,
  -- When the owners last got a warning that the quota was used up.
  warned_at timestamptz
);

-- The prompts that pages of a site have got, by their version: what a reader saw who said yes (docs/decisions/0034).
create table consent_prompts (
  site_id uuid not null references sites (id) on delete cascade,
  -- The first 8 bytes of SHA-256 of all that follows but the time, in hexadecimal.
  version text not null check (version ~ '^[0-9a-f]{16}$'),
  texts jsonb not null,
  -- SHA-256 of the script that shows the prompt, with its style, in hexadecimal.
  code text not null check (code ~ '^[0-9a-f]{64}$'),
  -- When it appears, and on which pages.
  rule jsonb not null,
  -- The start of the comparison in which it was shown. Null: there was none.
  compared_since timestamptz,
  -- Whether it was the second prompt of the comparison.
  is_other boolean not null check (compared_since is not null or not is_other),
  -- When a page first got it.
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

-- Readers who can come back after their push service has said that they are gone: a permission can be revoked and granted
-- again. Their choices are kept for `return_days` of the site. The hashes are useless for sending, and only their browser
-- can name them again.
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
-- somebody with the address of the subscription finds it here, and only for this site.
create function left_hash(site_id uuid, endpoint_hash bytea) returns bytea language sql immutable
  return substring(sha256(uuid_send(site_id) || endpoint_hash) for 16);

create table left_subscribers (
  site_id uuid not null references sites on delete cascade,
  hash bytea not null check (octet_length(hash) = 16),
  left_at timestamptz not null default now(),
  primary key (site_id, hash)
);

-- What stays of a reader's consent when their subscription has ended, for CONSENT_PROOF_DAYS. Only somebody with the address of
-- the subscription finds it here, and only for this site.
create table consent_proofs (
  site_id uuid not null references sites on delete cascade,
  -- As in left_subscribers.
  hash bytea not null check (octet_length(hash) = 16),
  -- An address has ten places: the eleventh record takes the place of the oldest.
  place smallint not null check (place between 0 and 9),
  consent text not null,
  consented_at timestamptz not null,
  consent_version text,
  -- When the subscription ended, or a later yes took the place of this one.
  ended_at timestamptz not null default clock_timestamp(),
  primary key (site_id, hash, place)
);
create index consent_proofs_by_age on consent_proofs (ended_at);

-- Each statement that deletes subscribers leaves the records of those whose consent has a time and was followed by notifications:
-- what strangers register leaves none before a push service has accepted a message to it. The readers of a site that is erased or
-- was moved leave none here.
create function keep_proofs() returns trigger language plpgsql as $$
begin
  insert into consent_proofs as p (site_id, hash, place, consent, consented_at, consent_version)
  select e.site_id, e.hash,
    coalesce((select (o.place + 1) % 10 from consent_proofs o where o.site_id = e.site_id and o.hash = e.hash
      order by o.ended_at desc limit 1), 0),
    e.consent, e.consented_at, e.consent_version
  from (select s.site_id, left_hash(s.site_id, s.endpoint_hash) as hash, s.consent, s.consented_at, s.consent_version
      from ended s where s.consented_at is not null and not s.is_test and s.consent <> 'test'
        and (s.accepted or s.accepted_before or not s.registered)) e
    join sites on sites.id = e.site_id and sites.erase_at is null and sites.moved_at is null
  order by e.site_id, e.hash
  on conflict (site_id, hash, place) do update set consent = excluded.consent, consented_at = excluded.consented_at,
    consent_version = excluded.consent_version, ended_at = excluded.ended_at;
  return null;
end
$$;
create trigger proofs_are_kept after delete on subscribers
  referencing old table as ended for each statement execute function keep_proofs();

-- A later yes of a reader takes the place of the one before, of which the same is kept.
create function keep_former_proof() returns trigger language plpgsql as $$
declare
  former_hash constant bytea := left_hash(old.site_id, old.endpoint_hash);
begin
  insert into consent_proofs as p (site_id, hash, place, consent, consented_at, consent_version)
  select old.site_id, former_hash,
    coalesce((select (o.place + 1) % 10 from consent_proofs o where o.site_id = old.site_id and o.hash = former_hash
      order by o.ended_at desc limit 1), 0),
    old.consent, old.consented_at, old.consent_version
  on conflict (site_id, hash, place) do update set consent = excluded.consent, consented_at = excluded.consented_at,
    consent_version = excluded.consent_version, ended_at = excluded.ended_at;
  return null;
end
$$;
create trigger former_proof_is_kept after update of consented_at on subscribers for each row
  when (old.consented_at <> new.consented_at and old.consent <> 'test'
    and (old.accepted or old.accepted_before or not old.registered)) execute function keep_former_proof();

-- Readers who had all their data deleted, until maintenance has removed their number from the lists of recipients.
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
  -- The conditions of the segment: src/subscribers/segments/segment.ts.
  rule jsonb not null check (jsonb_typeof(rule) = 'object'),
  created_at timestamptz not null default now(),
  -- Campaigns with a retired segment keep it.
  retired_at timestamptz,
  primary key (site_id, id)
);
create unique index segments_by_name on segments (site_id, name) where retired_at is null;

create trigger segment_is_told after insert or update or delete on segments for each row
  execute function tell_change('audience', 'site_id');

-- Readers' preferences: a limit of notifications a day, quiet hours, and a digest of suppressed notifications
-- (docs/decisions/0020). Planning reads them for sites that have any.
create table reader_preferences (
  site_id uuid not null,
  subscriber_id bigint not null,
  max_a_day smallint check (max_a_day between 1 and 50),
  -- Minutes since midnight, local time of the reader. `quiet_until` is lower than `quiet_from` if they span midnight.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  -- Whether the reader gets breaking news despite quiet hours and limits.
  breaking boolean not null default false,
  -- Null: no digest; a suppressed notification is dropped.
  digest_at smallint check (digest_at between 0 and 1439),
  -- IANA.
  time_zone text not null,
  -- How many notifications were planned for the reader on this day, in the reader's time zone.
  used_on date,
  used smallint not null default 0,
  -- The runs in the next digest, oldest first, and the runs in the last digest.
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

-- Stories that readers have muted.
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

-- The stories, authors and series that readers follow, by the publisher's own ids.
create table follows (
  site_id uuid not null,
  key text not null check (char_length(key) between 1 and 100),
  subscriber_id bigint not null,
  -- What the page called it when the reader followed it. Only the reader sees it.
  label text check (char_length(label) between 1 and 80),
  followed_at timestamptz not null default now(),
  primary key (site_id, key, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
alter table follows alter column site_id set statistics 0;
create index follows_of_subscriber on follows (site_id, subscriber_id);
create index follows_by_age on follows (followed_at);

-- Readers who wait for a step of the welcome, so that nothing reads all subscribers to find them.
create table welcome_due (
  site_id uuid not null,
  subscriber_id bigint not null,
  -- The next step, from 1.
  step smallint not null check (step between 1 and 4),
  -- Null: there is no next step, and the run of the last step has not expired yet.
  due_at timestamptz,
  -- The run of the previous step. Null: the reader did not get it.
  run_id uuid,
  primary key (site_id, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
create index due_welcomes on welcome_due (site_id, due_at) where due_at is not null;
create index readers_of_welcome on welcome_due (site_id, run_id) where run_id is not null;

-- Readers whose win-back was accepted, and who are removed some days later unless they come back.
create table lost_subscribers (
  site_id uuid not null,
  subscriber_id bigint not null,
  -- The day (UTC) on which the run of the win-back ended.
  asked_on date not null,
  primary key (site_id, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
alter table lost_subscribers alter column site_id set statistics 0;
create index lost_by_day on lost_subscribers (site_id, asked_on);

-- Devices of members that get notifications about suggested stories. They are not subscribers: nothing counts them as readers.
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
