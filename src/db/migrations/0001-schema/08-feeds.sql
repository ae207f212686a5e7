-- Feeds: how each is polled and pushed, its items, and what became of them.

create table feeds (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  url text not null check (char_length(url) between 1 and 2048),
  title text,
  created_by text not null,
  created_at timestamptz not null default now(),

  -- Settings.
  enabled boolean not null default true,
  -- Its campaigns are created with forceSend: stories that the decision skips are sent too.
  override boolean not null default false,
  -- Its items become drafts for the editors.
  suggest boolean not null default false,
  -- [{ category, topicId }]. Empty: every item goes to everyone.
  topics jsonb not null default '[]',
  -- What happens to an item in none of those categories.
  unmatched text not null default 'skip' check (unmatched in ('skip', 'everyone')),
  -- The segment to which its items go. Null: all readers, or the readers of their topics.
  segment_id uuid,
  -- Hosts other than the site's own to which its items may lead.
  allowed_hosts text[] not null default '{}',
  -- Whether the feed's title of a story is tested against the title of the page.
  test_headlines boolean not null default false,
  hourly_limit integer not null default 3 check (hourly_limit between 1 and 100),
  daily_limit integer not null default 10 check (daily_limit between 1 and 1000),
  -- What happens to an item in quiet hours, within a gap or beyond a limit: it is skipped, or waits as long as it is fresh.
  at_limit text not null default 'skip' check (at_limit in ('skip', 'wait')),
  -- The longest pause between successful polls. An owner may shorten the six hours that ttl and Cache-Control can ask for.
  poll_seconds integer not null default 21600 check (poll_seconds between 30 and 21600),

  -- Null until the first poll has marked its items as seen. These are never sent.
  seeded_at timestamptz,
  -- When its owner was asked about very many new items. None is sent until the owner has answered.
  asked_at timestamptz,

  -- Polls.
  next_poll_at timestamptz not null default now(),
  -- The process that polls holds the feed until then. The attempt fences a slower process.
  poll_lease_until timestamptz,
  poll_attempt integer not null default 0,
  polled_at timestamptz,
  -- { outcome, code, message, messageCode, params, newItems, everySeconds, because: { message, messageCode, params } }
  poll_result jsonb,
  etag text,
  last_modified text,
  body_hash bytea,
  ttl_minutes integer,
  -- The host of the last document that was read, after redirects. The hub comes from that document, too.
  document_host text,
  new_item_at timestamptz,
  -- The keys (see feed_keys) of the first entries of the last polled document. They distinguish a replaced feed from a
  -- feed with much news.
  listed_keys bytea[],
  -- The last successful poll, and the first failed poll since.
  worked_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  -- When the owners got an e-mail about the failures.
  failing_notified_at timestamptz,

  -- WebSub, if the feed names a hub.
  hub_url text,
  hub_topic text,
  hub_state text check (hub_state in ('asking', 'active', 'refused')),
  -- When the hub is asked (again).
  hub_next_at timestamptz,
  hub_lease_until timestamptz,
  -- When the hub last announced something, and when a poll last found something that it had not announced.
  hub_notified_at timestamptz,
  hub_missed_at timestamptz,

  unique (site_id, url),
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  constraint feeds_send_or_suggest check (not (suggest and override)),
  check ((hub_url is null) = (hub_topic is null)),
  check (hub_url is not null or hub_state is null)
);
create index feeds_of_tenant on feeds (tenant_id, id);
create index feeds_to_poll on feeds (next_poll_at) where enabled;
create index feeds_to_subscribe on feeds (hub_next_at) where enabled and hub_url is not null;

create trigger feed_is_told after insert or delete on feeds for each row execute function tell_change('feeds', 'site_id');
-- The result of a poll is told once: neither its claim nor what it keeps for the next poll is to be seen.
create trigger feed_change_is_told after update on feeds for each row
  when (to_jsonb(old) - '{poll_lease_until,poll_attempt,next_poll_at,etag,last_modified,body_hash,ttl_minutes,document_host}'::text[]
    is distinct from
    to_jsonb(new) - '{poll_lease_until,poll_attempt,next_poll_at,etag,last_modified,body_hash,ttl_minutes,document_host}'::text[])
  execute function tell_change('feeds', 'site_id');

-- One process at a time checks and sends a site's items, so that limits and gaps are exact and no story is sent twice.
create table feed_site_claims (
  site_id uuid primary key references sites,
  lease_until timestamptz,
  attempt integer not null default 0
);

create table feed_items (
  site_id uuid not null,
  id uuid not null unique,
  feed_id uuid not null references feeds on delete cascade,
  status text not null check (status in ('seen', 'new', 'asked', 'waiting', 'suggested', 'sent', 'skipped')),
  guid text,
  url text,
  title text,
  summary text,
  image_url text,
  -- The author of title, summary and picture: the host of the document that had them, or of the document that
  -- named the pushing hub.
  source_host text,
  categories text[] not null default '{}',
  published_at timestamptz,
  -- Why it was skipped, or what it waits for: [{ code, effect, message, messageCode, params }].
  reasons jsonb not null default '[]',
  -- Whether the owner has answered for it. It is not asked about again.
  answered boolean not null default false,
  tries integer not null default 0,
  -- When it is looked at (again).
  due_at timestamptz,
  campaign_id uuid,
  run_id uuid,
  found_at timestamptz not null default now(),
  decided_at timestamptz,
  primary key (site_id, id),
  check ((status in ('new', 'waiting')) = (due_at is not null)),
  check ((status = 'sent') = (run_id is not null))
);
create index feed_items_of_feed on feed_items (feed_id, id desc);
-- Reads a page of a feed's suggestions, and counts the items of each status.
create index feed_items_by_status on feed_items (feed_id, status, id desc);
create index feed_items_open on feed_items (feed_id) where status in ('new', 'waiting', 'asked');
create index feed_items_due on feed_items (due_at) where status in ('new', 'waiting');

create trigger feed_item_is_told after insert or update of status on feed_items for each row
  when (new.status <> 'seen') execute function tell_change('items', 'site_id');
create trigger feed_item_moves before update of status on feed_items for each row
  execute function refuse_illegal_move('new>waiting', 'new>asked', 'new>suggested', 'new>sent', 'new>skipped', 'asked>new',
    'asked>skipped', 'waiting>asked', 'waiting>suggested', 'waiting>sent', 'waiting>skipped');

-- Everything that a site's feeds have brought, by the first 16 bytes of SHA-256: of the story's page (for all feeds of the site),
-- and of the feed's own id for it. Kept longer than the items, and even when a feed is removed.
create table feed_keys (
  site_id uuid not null references sites,
  key bytea not null check (octet_length(key) = 16),
  -- The feed that brought it first, to limit the keys of each feed. It is no reference, because the key outlives the feed.
  feed_id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (site_id, key)
);
create index feed_keys_by_age on feed_keys (seen_at);
create index feed_keys_of_feed on feed_keys (feed_id, seen_at desc);

-- Recurring sends: at a time of some weekdays at the site, the newest story of a feed or of a topic.
create table recurring_sends (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  -- ISO weekdays: 1 is Monday.
  days smallint[] not null check (cardinality(days) between 1 and 7 and days <@ '{1,2,3,4,5,6,7}'),
  time text not null check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- The source of its stories: one of the two.
  feed_id uuid references feeds on delete cascade,
  topic_id uuid,
  enabled boolean not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- The day and the moment of its next occurrence, and the time zone of the site by which the moment was reckoned. Null: it is
  -- reckoned from now on, so no occurrence of the past is missed.
  next_day date,
  next_at timestamptz,
  zone text,
  -- The process that works on an occurrence has it until then.
  lease_until timestamptz,
  unique (site_id, id),
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, topic_id) references topics (site_id, id),
  check ((feed_id is null) <> (topic_id is null)),
  check ((next_day is null) = (next_at is null) and (next_at is null) = (zone is null))
);
create index recurring_sends_due on recurring_sends (next_at) where enabled;

create trigger recurring_send_is_told after insert or delete or update of days, time, feed_id, topic_id, enabled on recurring_sends
  for each row execute function tell_change('campaigns', 'site_id');

-- What became of each occurrence. The key lets one process record a day, in the transaction that starts its run.
create table recurring_occurrences (
  site_id uuid not null,
  recurring_send_id uuid not null,
  -- The day at the site.
  day date not null,
  due_at timestamptz not null,
  outcome text not null check (outcome in ('sent', 'nothing_new', 'skipped', 'refused', 'missed')),
  -- Why it was skipped or refused: [{ code, effect, message, messageCode, params }].
  reasons jsonb not null default '[]',
  -- The story: what was sent, or would have been.
  url text,
  title text,
  campaign_id uuid,
  -- When its process looked for a story: the next occurrence takes only what came later.
  looked_at timestamptz not null,
  primary key (site_id, recurring_send_id, day),
  foreign key (site_id, recurring_send_id) references recurring_sends (site_id, id) on delete cascade,
  check (outcome <> 'sent' or campaign_id is not null)
);

create trigger recurring_occurrence_is_told after insert on recurring_occurrences
  for each row execute function tell_change('campaigns', 'site_id');
