-- Campaigns, and what people intend with them.

create table campaigns (
  site_id uuid not null,
  id uuid not null unique,
  tenant_id uuid not null,
  external_id text check (char_length(external_id) <= 200),
  mode text not null check (mode in ('url', 'manual')),
  -- sending, sent and stopped are read from the live run: see campaign_states.
  status text not null check (status in ('draft', 'scheduled', 'cancelled', 'failed', 'started')),
  url text not null,
  -- A story that could not be read is cancelled without one.
  title text check (char_length(title) between 1 and 120),
  body text not null check (char_length(body) <= 240),
  image_url text,
  -- BCP 47, of the article that the text was written from.
  language text,
  -- What a notification has beside its text and picture: badge, direction and behaviour, each only where it is set. One column,
  -- because nothing is searched by them.
  extras jsonb not null default '{}' check (jsonb_typeof(extras) = 'object'),
  topic_ids uuid[] not null default '{}',
  -- Null: all readers.
  segment_id uuid,
  -- The campaign of the same site whose notification this one replaces.
  corrects uuid,
  force_send boolean not null,
  -- The verdict that create took, null in manual mode: { decision, score, reasons }.
  decision jsonb,
  canonical_url text,
  ttl_seconds integer not null default 14400 check (ttl_seconds between 60 and 2419200),
  urgency text not null default 'normal' check (urgency in ('very-low', 'low', 'normal', 'high')),
  scheduled_at timestamptz,
  -- The local time at which each reader gets it (docs/decisions/0023): { date, time }. Null: all readers get it at the same
  -- moment.
  local_time jsonb check (jsonb_typeof(local_time) = 'object'),
  -- The moment at which it is that hour where the site is. Null: grace counts from scheduled_at.
  grace_from timestamptz,
  -- The schedule of which the owners know that a pause halts it: they get one e-mail each time that it is due.
  delay_notified_for timestamptz,
  failure jsonb,
  created_by text not null,
  idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  idempotency_body_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, corrects) references campaigns (site_id, id),
  check ((idempotency_key is null) = (idempotency_body_hash is null)),
  check (title is not null or status = 'cancelled'),
  check (status <> 'scheduled' or scheduled_at is not null),
  check ((status = 'failed') = (failure is not null))
);
create unique index campaigns_idempotency on campaigns (tenant_id, idempotency_key) where idempotency_key is not null;
create index campaigns_of_tenant on campaigns (tenant_id, id desc);
-- One page of a site's campaigns costs no walk over all the others.
create index campaigns_of_site on campaigns (tenant_id, site_id, id desc);
-- A CMS finds its campaigns by its own id.
create index campaigns_by_external_id on campaigns (tenant_id, external_id, id desc) where external_id is not null;
-- Was this story sent before? An address has at most 2,048 ASCII characters, which a B-tree's entry holds.
create index campaigns_of_story on campaigns (site_id, canonical_url) where canonical_url is not null;
create index campaigns_due on campaigns (scheduled_at) where status = 'scheduled';

create trigger campaign_moves before update of status on campaigns for each row
  execute function refuse_illegal_move('draft>scheduled', 'draft>started', 'draft>cancelled',
    'scheduled>started', 'scheduled>cancelled', 'scheduled>failed');

-- Sends that wait until another editor or owner approves or refuses them.
create table approval_requests (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  campaign_id uuid not null,
  -- When it is to go out; null: at once.
  schedule_at timestamptz,
  -- As in campaigns.
  local_time jsonb check (jsonb_typeof(local_time) = 'object'),
  -- Counted when it was asked for.
  audience bigint not null,
  asked_by uuid not null references users on delete cascade,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- A request that has expired, or whose campaign can be sent no more, is over: that is read, not written.
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'refused', 'withdrawn')),
  decided_by uuid references users on delete set null,
  decided_at timestamptz,
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade,
  check ((status = 'waiting') = (decided_at is null)),
  -- The promise itself: nobody approves what they have asked for.
  check (status <> 'approved' or decided_by is distinct from asked_by)
);
create unique index one_waiting_request_a_campaign on approval_requests (campaign_id) where status = 'waiting';
create index waiting_requests_of_site on approval_requests (site_id, expires_at) where status = 'waiting';

create trigger approval_request_moves before update of status on approval_requests for each row
  execute function refuse_illegal_move('waiting>approved', 'waiting>refused', 'waiting>withdrawn');

-- Live sends and schedules that one member decided without a second person, where a tenant has set confirm_above. Together
-- they reach no more than that many people within an hour.
create table unapproved_sends (
  campaign_id uuid primary key,
  site_id uuid not null,
  user_id uuid not null references users on delete cascade,
  -- When it goes out: the time of the send, or the scheduled one.
  send_at timestamptz not null,
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create index unapproved_sends_of_member on unapproved_sends (site_id, user_id, send_at);

-- Sends that a member has confirmed in the dashboard, and can take back until they start.
create table undo_windows (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  campaign_id uuid not null,
  user_id uuid not null references users on delete cascade,
  -- The approval request that it approves.
  request_id uuid references approval_requests on delete cascade,
  audience bigint not null,
  audience_exact boolean not null,
  -- What was confirmed: a campaign that has changed since is not sent.
  campaign_updated_at timestamptz not null,
  starts_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'taken_back', 'sent', 'refused')),
  -- The code of the error with which it was refused, or "changed" or "late".
  refusal text,
  ended_at timestamptz,
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade,
  check ((status = 'waiting') = (ended_at is null)),
  check ((status = 'refused') = (refusal is not null))
);
create unique index one_undo_window_a_campaign on undo_windows (campaign_id) where status = 'waiting';
create index undo_windows_of_campaign on undo_windows (campaign_id, id);
create index undo_windows_due on undo_windows (starts_at) where status = 'waiting';
create index undo_windows_of_member on undo_windows (tenant_id, user_id);

create trigger undo_window_moves before update of status on undo_windows for each row
  execute function refuse_illegal_move('waiting>taken_back', 'waiting>sent', 'waiting>refused');

-- What members have typed on the compose page, kept for them as they type.
create table autosaved_drafts (
  -- Chosen by the browser, so that a repeated save is no second autosaved draft.
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  -- Whose it is: other members do not see it.
  user_id uuid not null references users on delete cascade,
  -- The campaign that it was saved as last.
  campaign_id uuid,
  -- Whether that campaign has all of it.
  in_campaign boolean not null default false,
  -- JSON, as text: it is read only as a whole.
  content text not null check (octet_length(content) <= 65536),
  -- Counts the saves. A save that names an older one comes from a page that does not know the last, unless it is that page.
  revision integer not null default 1,
  page uuid not null,
  saved_at timestamptz not null default now(),
  foreign key (tenant_id, site_id) references sites (tenant_id, id) on delete cascade,
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create index autosaved_drafts_of_member on autosaved_drafts (site_id, user_id, saved_at);
create index autosaved_drafts_by_age on autosaved_drafts (saved_at);

-- What new readers are sent: a welcome, and up to three more notifications on later days (docs/decisions/0025).
create table welcomes (
  site_id uuid primary key references sites (id),
  enabled boolean not null,
  -- A list of at most four, in their order: afterDays (since the reader subscribed), title, body, url, imageUrl, topicId
  -- (null: readers of any topic or none), onlyUnclicked. Not jsonb, which would change their order.
  steps json not null,
  changed_at timestamptz not null default now()
);

-- What devices of editors are to be told.
create table editor_nudges (
  device_id uuid not null references editor_devices on delete cascade,
  site_id uuid not null,
  campaign_id uuid not null,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (device_id, campaign_id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create index editor_nudges_due on editor_nudges (due_at);
