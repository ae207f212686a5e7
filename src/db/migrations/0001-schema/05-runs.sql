-- Runs, and the ledger of their messages.

-- One send, frozen: its content does not follow changes of the campaign.
create table runs (
  site_id uuid not null references sites,
  id uuid not null unique,
  tenant_id uuid not null,
  -- Null: a digest, a welcome, a win-back or a fire drill.
  campaign_id uuid,
  -- live: a campaign or a correction. test: to the test devices, or a fire drill. digest: one for each list of headlines. update: changes a
  -- notification on screens (a score, a count of votes). welcome: one for each step and moment at which readers are due.
  -- win_back: to readers who were not seen for long.
  kind text not null check (kind in ('live', 'test', 'digest', 'update', 'welcome', 'win_back')),
  status text not null default 'queued'
    check (status in ('queued', 'sending', 'stopping', 'completed', 'stopped', 'failed')),
  -- Tests are claimed before live runs.
  priority smallint not null check (priority = case kind when 'test' then 1 else 0 end),
  -- The identity of the notification on the screen: its first run. Among messages of a thread the highest sequence wins. A test
  -- run has the place that its campaign would get.
  thread_id uuid not null,
  sequence integer not null default 0 check (sequence >= 0),
  -- Who gets it and when: Audience of src/runs/audience.ts, Timing of src/runs/timing.ts.
  audience jsonb not null,
  timing jsonb not null default '{"at": "once"}',
  -- The class of its campaign at the send. A run without a campaign is normal.
  class text not null default 'normal' check (class in ('breaking', 'normal', 'low')),
  -- The key by which figures are grouped, such as the step of a welcome.
  label text,
  -- How browsers report, for queries that need nothing else of its message. Null: each message separately.
  receipts text check (receipts in ('aggregate', 'off')),
  ttl_seconds integer not null,
  urgency text not null,
  idempotency_key text,
  -- The audience in the answer to the send, counted up to a limit.
  expected_audience bigint not null,
  -- When the run counts, by the site's clock: with local-time delivery that hour at the site, otherwise its start.
  counts_at timestamptz not null default now(),

  -- How far the audience is planned.
  plan_cursor bigint not null default 0,
  planned_batches integer not null default 0,
  -- The recipients in these batches, without suppressed ones. It limits how many messages are in flight at the same time.
  planned_recipients bigint not null default 0,
  push_services text[] not null default '{}',
  planned_at timestamptz,
  -- Failed pages, minus pages that succeeded since. A failed page is tried again later and smaller. After many failures planning
  -- is given up (src/runs/plan/plan-failure.ts).
  plan_failures smallint not null default 0 check (plan_failures >= 0),
  -- The earliest time of its planning, for an update that a member can undo, and after a failed page. Null: immediately.
  plan_from timestamptz,
  -- How many recipients are in no batch because planning was given up. Null: none.
  unplanned bigint check (unplanned > 0),

  created_at timestamptz not null default now(),
  started_at timestamptz,
  expires_at timestamptz not null,
  stop_requested_at timestamptz,
  finished_at timestamptz,
  -- When its batches with the recipients' places were deleted, some days after its end (src/runs/ledger/prune-batches.ts).
  pruned_at timestamptz,
  -- Recipients handed to workers so far. The least served run is claimed first.
  served bigint not null default 0,
  -- How many messages left twice. It is written with the totals by code when the run ends.
  repeated bigint not null default 0 check (repeated >= 0),
  -- How many accepted messages went to browsers that report displays: the base of display rates. Written when the run ends.
  reporting bigint not null default 0 check (reporting >= 0),
  primary key (site_id, id),
  foreign key (tenant_id, site_id) references sites (tenant_id, id),
  foreign key (site_id, campaign_id) references campaigns (site_id, id),
  constraint runs_campaign_check check (kind = 'test' or (kind in ('digest', 'welcome', 'win_back')) = (campaign_id is null)),
  check ((status in ('completed', 'stopped', 'failed')) = (finished_at is not null)),
  check (status not in ('stopping', 'stopped') or stop_requested_at is not null),
  check (unplanned is null or planned_at is not null),
  check ((sequence = 0) = (thread_id = id))
);
-- Enforces the promise: one live run for a campaign, whatever the number of callers.
create unique index one_live_run_a_campaign on runs (site_id, campaign_id) where kind = 'live';
create index runs_of_tenant on runs (tenant_id, id desc);
create index runs_of_campaign on runs (site_id, campaign_id, id desc);
create index updates_of_campaign on runs (site_id, campaign_id, id) where kind = 'update';
create index runs_of_thread on runs (site_id, thread_id, sequence) where sequence > 0;
-- Campaigns that are being sent, were stopped or have failed. Most runs are completed, and not in this index.
create index live_runs_by_status on runs (tenant_id, status, campaign_id) where kind = 'live' and status <> 'completed';
create index runs_of_automations on runs (site_id, created_at) where kind in ('welcome', 'win_back');
create index open_runs on runs (priority desc, served) where status in ('queued', 'sending', 'stopping');
-- Finds when a site sent, and how often since yesterday. Neither column ever changes.
create index live_runs_of_site on runs (site_id, created_at) where kind = 'live';
create index runs_to_prune on runs (finished_at) where finished_at is not null and pruned_at is null;

-- The messages of a run: 0 is its own, the others are the variants of a headline test.
create table run_messages (
  site_id uuid not null,
  run_id uuid not null,
  no smallint not null check (no between 0 and 9),
  -- RunMessage of src/runs/run.ts.
  message jsonb not null,
  primary key (site_id, run_id, no),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade
);

-- The subscribers of a run whose audience is a list, until the run ends.
create table run_lists (
  site_id uuid not null,
  run_id uuid not null,
  subscriber_ids bigint[] not null,
  primary key (site_id, run_id),
  foreign key (site_id, run_id) references runs (site_id, id)
);

create trigger run_is_told after insert or update of status on runs for each row
  when (new.campaign_id is not null) execute function tell_change('campaigns', 'site_id');
-- The page of one campaign shows the runs of all of its group, and listens to its own site.
create function tell_group() returns trigger language plpgsql as $$
begin
  perform pg_notify('pressbell_changes', 'groups ' || c.tenant_id) from campaigns c
    where c.site_id = new.site_id and c.id = new.campaign_id and c.group_id is not null;
  return null;
end $$;
create trigger group_run_is_told after insert or update of status on runs for each row
  when (new.kind = 'live') execute function tell_group();
create trigger send_is_told after insert on runs for each row
  when (new.kind = 'live') execute function tell_change('sends', 'site_id');
create trigger run_moves before update of status on runs for each row
  execute function refuse_illegal_move('queued>sending', 'queued>stopping', 'queued>completed', 'queued>failed',
    'sending>stopping', 'sending>completed', 'sending>failed', 'stopping>stopped', 'stopping>failed');

-- A batch has at most 1,000 recipients of one push service, who all report displays or all do not. A recipient is one byte of
-- `codes` (docs/states.md).
-- fillfactor 60 leaves room on the page for the next version, so that a flush stays a HOT update. An index on lease_until or on
-- the counts would end that. Codes and their counts are rewritten at each flush and hardly compress: TOAST would move them out of
-- the page and end HOT.
create table run_batches (
  site_id uuid not null,
  run_id uuid not null,
  no integer not null,
  push_service text not null,
  -- Whether the browsers of its recipients report displays.
  reports_displays boolean not null default true,
  -- 0: readers seen within a week, 1: within 30 days, 2: the others (docs/decisions/0018). Lower ranks are claimed first.
  rank smallint not null default 0,
  size smallint not null check (size between 1 and 1000),
  -- The message that its recipients get (run_messages).
  message_no smallint not null default 0,
  -- The wave that opens it (run_waves). Null: it was open from the beginning.
  wave_no smallint,
  -- docs/contributors/ledger.md
  state text not null default 'ready' check (state in ('waiting', 'ready', 'open', 'delayed', 'done')),
  -- The fence: each claim of the batch raises it, and a flush with an older number changes nothing.
  attempt integer not null default 0,
  -- A fence within a claim: each try of a flush has a higher number, and a flush with a lower number changes nothing.
  flush_no integer not null default 0,
  owner text,
  lease_until timestamptz,
  not_before timestamptz,
  -- How many owners in a row let the lease of this batch end without an outcome, because they died or froze.
  crashes smallint not null default 0 check (crashes >= 0),
  pending smallint not null,
  accepted smallint not null default 0,
  gone smallint not null default 0,
  failed smallint not null default 0,
  expired smallint not null default 0,
  not_sent smallint not null default 0,
  unknown smallint not null default 0,
  -- Not part of the sum: how many recipients have had neither an answer nor a failed try.
  unanswered smallint not null default 0 check (unanswered >= 0),
  -- Not part of the sum: messages sent a second time because nobody knew whether the first had left.
  repeated integer not null default 0 check (repeated >= 0),
  codes bytea not null,
  -- Three bytes for each final code in `codes`: the code, and how often it occurs (big endian). An open run's counts by reason
  -- are summed from them: the codes of five million recipients would be 5 MB at each look at the run.
  code_counts bytea not null default '',
  primary key (site_id, run_id, no),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade,
  check (pending + accepted + gone + failed + expired + not_sent + unknown = size),
  check (least(pending, accepted, gone, failed, expired, not_sent, unknown) >= 0),
  check (octet_length(codes) = size),
  -- Every writer of codes must count them.
  constraint codes_are_counted check ((code_counts = '') = (pending = size)),
  check ((state = 'open') = (owner is not null and lease_until is not null)),
  check (state <> 'done' or pending = 0),
  check (state <> 'delayed' or not_before is not null),
  check (state <> 'waiting' or wave_no is not null)
) with (fillfactor = 60);
alter table run_batches alter column codes set storage plain, alter column code_counts set storage plain;
create index claimable_batches on run_batches (site_id, run_id, push_service, rank, no) where state in ('ready', 'open', 'delayed');
create index waiting_batches on run_batches (site_id, run_id, wave_no, no) where state = 'waiting';

create table run_recipients (
  site_id uuid not null,
  run_id uuid not null,
  no integer not null,
  subscriber_ids bigint[] not null,
  primary key (site_id, run_id, no),
  foreign key (site_id, run_id, no) references run_batches (site_id, run_id, no) on delete cascade
);
alter table run_recipients alter column site_id set statistics 0;
alter table run_batches alter column site_id set statistics 0;
-- The lists of recipients that may name a reader (src/runs/reader-places.ts): first and last number of each list. A last number
-- of 0 belongs to an erased reader, whose number is no longer known.
create index recipients_by_number on run_recipients (site_id,
  (coalesce(nullif(subscriber_ids[cardinality(subscriber_ids)], 0), 9223372036854775807)), (subscriber_ids[1]));

-- The sums of a run that has ended, by push service and code, so that its batches need not stay.
create table run_totals (
  site_id uuid not null,
  run_id uuid not null,
  push_service text not null,
  code smallint not null,
  n bigint not null check (n > 0),
  primary key (site_id, run_id, push_service, code),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade
);

-- The first answer of a push service to a failed message, for each code, if Pressbell does not know it
-- (src/delivery/answers/refusal-table.ts). It has the words of the push service, without a reader's address.
create table run_unknown_reasons (
  site_id uuid not null,
  run_id uuid not null,
  push_service text not null,
  code smallint not null,
  said text not null check (length(said) <= 220),
  primary key (site_id, run_id, push_service, code),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade
);
-- Finds whether a push service has given this answer before.
create index unknown_reasons_by_words on run_unknown_reasons (push_service, said);

-- Batches of a run that wait and open together: the batches of one local time (docs/decisions/0023), or the rest of the audience
-- of a headline test.
create table run_waves (
  site_id uuid not null,
  run_id uuid not null,
  no smallint not null,
  -- Null: an event opens it, such as the end of a headline test.
  opens_at timestamptz,
  -- Minutes from UTC of the wave's local time. Null: it has no local time, or that time had passed when the campaign was due.
  utc_offset smallint check (utc_offset between -1440 and 1440),
  readers bigint not null check (readers > 0),
  -- The message that its batches get when it opens. Null: each keeps its own.
  message_no smallint,
  -- Null: it expires with its run.
  expires_at timestamptz,
  -- When all its batches were handed to the workers. Null: not yet, or it ended before.
  opened_at timestamptz,
  -- Null: it waits, or is being sent. `accepted` is counted at the end of the run.
  ended_at timestamptz,
  accepted bigint,
  primary key (site_id, run_id, no),
  foreign key (site_id, run_id) references runs (site_id, id)
);
create index waiting_waves on run_waves (opens_at) where opened_at is null and ended_at is null;
create index open_waves on run_waves (expires_at) where ended_at is null;

-- A headline test: a share of a run's audience gets variants of its message. The rest waits for the variant that is chosen. Share
-- and longest wait are in the timing of the run.
create table headline_tests (
  site_id uuid not null,
  run_id uuid not null,
  -- Why its clock is halted (src/runs/headline-test/clock.ts), and the time left on it. Null: it runs, until ends_at.
  waits_for text default 'first_accepted' check (waits_for in ('first_accepted', 'pause', 'push_services')),
  time_left interval not null check (time_left >= interval '0'),
  ends_at timestamptz,
  -- Null: the test runs. `figures`: at its end, a list in the order of the variants.
  ended_at timestamptz,
  outcome text check (outcome in ('winner', 'no_difference', 'not_measured', 'too_few', 'by_hand', 'stopped')),
  chosen smallint,
  figures jsonb,
  primary key (site_id, run_id),
  foreign key (site_id, run_id) references runs (site_id, id),
  check ((waits_for is null) = (ends_at is not null)),
  check ((ended_at is null) = (outcome is null)),
  check ((ended_at is null) = (figures is null)),
  check ((chosen is null) = (outcome is null or outcome = 'stopped'))
);
create index running_headline_tests on headline_tests (run_id) where ended_at is null;

-- The readers who have closed or opened a notification that is updated. They get no further updates of it.
create table interactions (
  site_id uuid not null,
  -- The thread of the notification: its first run.
  run_id uuid not null,
  subscriber_id bigint not null,
  primary key (site_id, run_id, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
alter table interactions alter column site_id set statistics 0;
create index interactions_of_subscriber on interactions (site_id, subscriber_id);

-- The sums of each run: from its batches while it is open, and from its totals once it has ended. The first digit of a
-- code is its class (src/runs/ledger/codes.ts). PostgreSQL evaluates only the half whose condition holds, and does not
-- read the other table.
create view run_sums as
  select r.site_id, r.id as run_id, s.*
  from runs r cross join lateral (
    select coalesce(sum(b.size), 0)::bigint as size, coalesce(sum(b.pending), 0)::bigint as pending,
      coalesce(sum(b.accepted), 0)::bigint as accepted, coalesce(sum(b.gone), 0)::bigint as gone,
      coalesce(sum(b.failed), 0)::bigint as failed, coalesce(sum(b.expired), 0)::bigint as expired,
      coalesce(sum(b.not_sent), 0)::bigint as not_sent, coalesce(sum(b.unknown), 0)::bigint as unknown,
      coalesce(sum(b.repeated), 0)::bigint as repeated,
      coalesce(sum(b.accepted) filter (where b.reports_displays), 0)::bigint as reporting
    from run_batches b where b.site_id = r.site_id and b.run_id = r.id having r.finished_at is null
    union all
    select coalesce(sum(t.n), 0)::bigint, 0,
      coalesce(sum(t.n) filter (where t.code >> 4 = 2), 0)::bigint, coalesce(sum(t.n) filter (where t.code >> 4 = 3), 0)::bigint,
      coalesce(sum(t.n) filter (where t.code >> 4 = 4), 0)::bigint, coalesce(sum(t.n) filter (where t.code >> 4 = 5), 0)::bigint,
      coalesce(sum(t.n) filter (where t.code >> 4 = 6), 0)::bigint, coalesce(sum(t.n) filter (where t.code >> 4 = 7), 0)::bigint,
      r.repeated, r.reporting
    from run_totals t where t.site_id = r.site_id and t.run_id = r.id having r.finished_at is not null) s;

-- Campaigns with the state that people see. The table campaigns does not store that a campaign is scheduled or its run has ended.
create view campaign_states as
  select c.*, r.id as run_id, p.starts_at as scheduled_at, p.late_from,
    -- A campaign that is sent before its time goes to all readers at the same moment.
    case when c.status <> 'started' or p.status = 'sent' then p.local_time end as local_time,
    case when c.status = 'draft' and p.status = 'waiting' then 'scheduled' else c.status end as state,
    case
      when c.status = 'draft' and p.status = 'waiting' then 'scheduled'
      when c.status <> 'started' then c.status
      when r.status in ('queued', 'sending') then 'sending'
      when r.status in ('stopping', 'stopped') then 'stopped'
      when r.status = 'completed' then 'sent'
      else 'failed'
    end as shown_status
  from campaigns c
  left join runs r on r.site_id = c.site_id and r.campaign_id = c.id and r.kind = 'live'
  left join lateral (select starts_at, late_from, local_time, status from planned_sends
    where campaign_id = c.id and waits_for = 'time' order by decided_at desc limit 1) p on true;
