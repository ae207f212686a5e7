-- Campaigns, and the decisions of people to send them.

create table campaigns (
  site_id uuid not null,
  id uuid not null unique,
  tenant_id uuid not null,
  external_id text check (char_length(external_id) <= 200),
  mode text not null check (mode in ('url', 'manual')),
  -- scheduled is read from the planned send; sending, sent and stopped are read from the live run: see campaign_states.
  status text not null check (status in ('draft', 'cancelled', 'failed', 'started')),
  -- Counts the changes of the content and of the time of the send.
  revision integer not null default 1,
  url text not null,
  -- Null only if the story could not be read: then the campaign is cancelled.
  title text check (char_length(title) between 1 and 120),
  body text not null check (char_length(body) <= 240),
  image_url text,
  -- BCP 47, of the article from which the text was written.
  language text,
  -- The optional fields of a notification: badge, direction and behaviour. Fields that are not set are absent. They share one
  -- column, because no query searches by them.
  extras jsonb not null default '{}' check (jsonb_typeof(extras) = 'object'),
  topic_ids uuid[] not null default '{}',
  -- Null: all readers.
  segment_id uuid,
  -- The id whose followers it goes to. Null: it goes to others too.
  followers_of text check (char_length(followers_of) between 1 and 100),
  -- The campaign of the same site whose notification this one replaces.
  corrects uuid,
  -- What the campaigns of one request for several sites share. Null: it was created alone.
  group_id uuid,
  -- The importance. The site's rules for its class apply.
  class text not null default 'normal' check (class in ('breaking', 'normal', 'low')),
  -- The publisher's names for it in reports: desk, section, author.
  labels text[] not null default '{}' check (cardinality(labels) <= 10),
  force_send boolean not null,
  -- The verdict at the creation: { decision, score, reasons }. Null in manual mode.
  decision jsonb,
  canonical_url text,
  ttl_seconds integer not null default 14400 check (ttl_seconds between 60 and 2419200),
  urgency text not null default 'normal' check (urgency in ('very-low', 'low', 'normal', 'high')),
  failure jsonb,
  -- In the form of src/actor.ts. Reports read names by these ids.
  created_by text not null check (created_by ~ '^[a-z]+(:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$'),
  idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  idempotency_body_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, corrects) references campaigns (site_id, id),
  check ((idempotency_key is null) = (idempotency_body_hash is null)),
  check (title is not null or status = 'cancelled'),
  check ((status = 'failed') = (failure is not null))
);
create unique index campaigns_idempotency on campaigns (tenant_id, idempotency_key) where idempotency_key is not null;
create index campaigns_of_tenant on campaigns (tenant_id, id desc);
-- Reads one page of a site's campaigns without all the others.
create index campaigns_of_site on campaigns (tenant_id, site_id, id desc);
-- Finds drafts, cancelled and failed campaigns among all campaigns of a year.
create index campaigns_by_status on campaigns (tenant_id, status, id desc) where status <> 'started';
create index campaigns_of_group on campaigns (group_id) where group_id is not null;
-- Finds what was sent to the followers of an id.
create index campaigns_to_followers on campaigns (site_id, followers_of) where followers_of is not null;
-- A CMS finds its campaigns by its own id.
create index campaigns_by_external_id on campaigns (tenant_id, external_id, id desc) where external_id is not null;
-- Finds earlier sends of a story. An address has at most 2,048 ASCII characters, which fits into an entry of a B-tree.
create index campaigns_of_story on campaigns (site_id, canonical_url) where canonical_url is not null;

create trigger campaign_is_told after insert or update or delete on campaigns for each row
  execute function tell_change('campaigns', 'site_id');
-- The page of one campaign shows all of its group, and listens to its own site.
create trigger group_is_told after insert or update on campaigns for each row
  when (new.group_id is not null) execute function tell_change('groups', 'tenant_id');

create trigger campaign_moves before update of status on campaigns for each row
  execute function refuse_illegal_move('draft>started', 'draft>cancelled', 'draft>failed');

-- Planned sends: who decided that a campaign is sent, and when. A row is a request for approval, a send that its author can still
-- undo, a schedule, or an immediate send.
create table planned_sends (
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  campaign_id uuid not null,
  -- The revision of the campaign at the decision. A request for approval and a send that can be undone end with another revision.
  campaign_revision integer not null,
  -- What the send waits for: the approval of another member, the end of its undo window, or its time. nothing: one member sent it
  -- immediately, without a second person.
  waits_for text not null check (waits_for in ('approval', 'undo', 'time', 'nothing')),
  -- When it starts. Null: a request for approval of an immediate send.
  starts_at timestamptz,
  -- The local time at which each reader gets it (docs/decisions/0023): { date, time }. Null: all readers get it
  -- at the same moment.
  local_time jsonb check (jsonb_typeof(local_time) = 'object'),
  -- When it starts to be late. With local-time delivery it is the moment of that time at the site. Null: at starts_at.
  late_from timestamptz,
  -- The member who decided. Null: not a member, or the account is deleted. A schedule outlives its author; a request for approval
  -- and an undo window do not.
  user_id uuid references users on delete set null,
  -- Whether the member decided without a second person in a tenant with confirm_above. Together such sends reach no more than
  -- that many people within an hour.
  is_unapproved boolean not null default false,
  -- The request for approval that an undo window approves at its end.
  approves uuid references planned_sends on delete cascade,
  -- When a request for approval expires. Null: it is another planned send.
  expires_at timestamptz,
  decided_by uuid references users on delete set null,
  -- The number of recipients, counted at the decision. Null: not counted.
  audience bigint,
  audience_exact boolean not null default true,
  -- Whether the owners know that a pause delays it. They get one e-mail.
  delay_notified boolean not null default false,
  -- A request for approval is over if it has expired or its campaign has changed. Queries read that; the status does not show it.
  status text not null check (status in ('waiting', 'approved', 'sent', 'undone', 'withdrawn', 'refused', 'failed')),
  -- The code of the error with which an undo window was refused, or "changed" or "late".
  refusal text,
  -- Orders the planned sends of a campaign: the database sets it under the campaign's lock. Ids do not give the order, because
  -- they come from the clocks of processes.
  decided_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade,
  check ((status = 'waiting') = (ended_at is null)),
  -- src/sends/states.ts has the same table.
  constraint planned_sends_ends check (case waits_for
    when 'approval' then status in ('waiting', 'approved', 'refused', 'withdrawn')
    when 'undo' then status in ('waiting', 'sent', 'undone', 'refused', 'withdrawn')
    when 'time' then status in ('waiting', 'sent', 'withdrawn', 'failed')
    else status = 'sent' end),
  check (waits_for = 'approval' or starts_at is not null),
  check ((waits_for = 'approval') = (expires_at is not null)),
  -- Enforces the promise: nobody approves their own request.
  check (status <> 'approved' or decided_by <> user_id)
);
create unique index one_planned_send_a_campaign on planned_sends (campaign_id, waits_for) where status = 'waiting';
create index planned_sends_of_campaign on planned_sends (campaign_id, decided_at desc);
create index planned_sends_due on planned_sends (starts_at) where status = 'waiting' and waits_for in ('undo', 'time');
create index requests_of_site on planned_sends (site_id, expires_at) where status = 'waiting' and waits_for = 'approval';
create index planned_sends_of_member on planned_sends (user_id, site_id, starts_at);

create trigger planned_send_is_told after insert or update or delete on planned_sends for each row
  execute function tell_change('campaigns', 'site_id');
create trigger planned_send_moves before update of status on planned_sends for each row
  execute function refuse_illegal_move('waiting>approved', 'waiting>sent', 'waiting>undone', 'waiting>withdrawn',
    'waiting>refused', 'waiting>failed');

-- What members have typed on the compose page, saved while they type.
create table autosaved_drafts (
  -- The browser chooses it, so that a repeated save does not make a second autosaved draft.
  id uuid primary key,
  tenant_id uuid not null,
  site_id uuid not null,
  -- The member who sees it. Other members do not.
  user_id uuid not null references users on delete cascade,
  -- The campaign as which it was last saved.
  campaign_id uuid,
  -- Whether that campaign has all of it.
  in_campaign boolean not null default false,
  -- Whether the member has saved it as a draft, so is done with it for now. Tests and looks at dates do not count.
  is_kept boolean not null default false,
  -- JSON, as text, because it is read only as a whole.
  content text not null check (octet_length(content) <= 65536),
  -- Counts the saves. A save that names an older revision comes from a page that does not know the last save, unless
  -- `page` is that page.
  revision integer not null default 1,
  page uuid not null,
  saved_at timestamptz not null default now(),
  foreign key (tenant_id, site_id) references sites (tenant_id, id) on delete cascade,
  foreign key (site_id, campaign_id) references campaigns (site_id, id) on delete cascade
);
create index autosaved_drafts_of_member on autosaved_drafts (site_id, user_id, saved_at);
create index autosaved_drafts_by_age on autosaved_drafts (saved_at);

-- The notifications to new readers: a welcome, and up to three more on later days (docs/decisions/0025).
create table welcomes (
  site_id uuid primary key references sites (id),
  enabled boolean not null,
  -- A list of at most four steps, in their order: afterDays (since the reader subscribed), title, body, url, imageUrl, topicId
  -- (null: readers of any topic or none), onlyUnclicked. Not jsonb, which would change the order of fields.
  steps json not null,
  changed_at timestamptz not null default now()
);

create trigger welcome_is_told after insert or update on welcomes for each row
  execute function tell_change('settings', 'site_id');

-- The win-back: one notification to readers who were not seen for so many days (docs/decisions/0030).
create table win_backs (
  site_id uuid primary key references sites (id),
  enabled boolean not null,
  after_days smallint not null check (after_days between 7 and 365),
  title text not null,
  body text not null,
  url text not null,
  image_url text,
  -- What becomes of readers who do not come back.
  afterwards text not null check (afterwards in ('keep', 'remove')),
  -- Readers who were last seen on this day (UTC), or earlier, have had their win-back. Null: it was never sent.
  seen_until date,
  -- The run of the last win-back, until its outcomes have been read.
  run_id uuid,
  changed_at timestamptz not null default now()
);

create trigger win_back_is_told after insert or update of changed_at on win_backs for each row
  execute function tell_change('settings', 'site_id');

-- The fire drill: a notification to one test device, the canary, again and again. A row has only the last drill, and each site
-- that has ever had a canary has one.
create table drills (
  site_id uuid primary key references sites (id),
  -- The number of the test device, which may have left. Null: no drills.
  canary_id bigint,
  every_minutes smallint not null check (every_minutes between 15 and 1440),
  -- The tag of all its notifications, so that each replaces the one before on the canary's screen, and the place of the last.
  thread_id uuid not null,
  sequence integer not null default 0 check (sequence >= 0),
  -- The run of the last drill, which is deleted as the next one begins.
  run_id uuid,
  -- Whether the canary's browser reports displays. Otherwise a drill ends once the push service has accepted it.
  expects_display boolean not null default true,
  -- When the last drill began, when each step was seen, and when it ended.
  started_at timestamptz,
  planned_at timestamptz,
  sent_at timestamptz,
  accepted_at timestamptz,
  displayed_at timestamptz,
  ended_at timestamptz,
  -- The step that the last ended drill did not reach (null if it passed), and the code of its message.
  failed_step text check (failed_step in ('canary', 'planned', 'sent', 'accepted', 'displayed')),
  failed_code smallint,
  -- When the owners last got an e-mail, by the step that failed.
  told jsonb not null default '{}' check (jsonb_typeof(told) = 'object'),
  check (started_at is not null or coalesce(planned_at, sent_at, accepted_at, displayed_at, ended_at) is null),
  check (failed_code is null or failed_step is not null)
);

create trigger drill_is_told after insert or update on drills for each row
  execute function tell_change('settings', 'site_id');

-- Notifications that devices of editors will get.
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
