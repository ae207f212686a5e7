-- Receipts of readers, and reports of pages.

-- A bit for each recipient of a batch, by position: displayed 1, clicked 2, dismissed 3, unsubscribed 4, and clicks on the
-- buttons 5 and 6, each of which is a click too. Deleted with the recipients.
create table receipt_bits (
  site_id uuid not null,
  run_id uuid not null,
  no integer not null,
  kind smallint not null check (kind between 1 and 6),
  bits bit(1024) not null,
  -- How many bits the last write set, so that the count written with it is exact.
  added smallint not null,
  primary key (site_id, run_id, no, kind),
  foreign key (site_id, run_id, no) references run_recipients (site_id, run_id, no) on delete cascade
) with (fillfactor = 60);

-- The counts that a run shows, kept as long as the run. They are numbers only, without any reader.
create table receipt_hours (
  site_id uuid not null,
  run_id uuid not null,
  -- By the database's clock, UTC.
  hour timestamptz not null,
  displayed integer not null default 0,
  clicked integer not null default 0,
  -- The clicks among these in browsers that report displays: the numerator of clicks per display. If a site counts only sums,
  -- they are not distinguished, and all clicks are here.
  clicked_reporting integer not null default 0,
  dismissed integer not null default 0,
  unsubscribed integer not null default 0,
  -- Clicks on the buttons of a notification.
  action1 integer not null default 0,
  action2 integer not null default 0,
  -- Counts from Android, because Chrome hides notifications there that it takes for spam, and clicks fall (docs/readers.md).
  android_displayed bigint not null default 0,
  android_clicked bigint not null default 0,
  primary key (site_id, run_id, hour),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade
) with (fillfactor = 60);

-- How many notifications of a run were displayed within `seconds` of the moment at which they were due, and not within the bound
-- before (src/runs/screen-times.ts). Kept as long as the run.
create table screen_times (
  site_id uuid not null,
  run_id uuid not null,
  seconds integer not null,
  displayed bigint not null,
  primary key (site_id, run_id, seconds),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade
) with (fillfactor = 60);

-- How often pages reported what followed a click on the notification of a run: `read`, `second_page`, or a name of the site's
-- own. Sums only, kept as long as the run.
create table click_outcomes (
  site_id uuid not null,
  run_id uuid not null,
  name text not null,
  n bigint not null,
  primary key (site_id, run_id, name),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade
);

-- Counts by the minute, for the first hours of a notification and the clicks per minute of a site. Deleted after three days.
create table receipt_minutes (
  site_id uuid not null,
  -- By the database's clock, UTC.
  minute timestamptz not null,
  run_id uuid not null,
  displayed integer not null default 0,
  clicked integer not null default 0,
  primary key (site_id, minute, run_id),
  foreign key (site_id, run_id) references runs (site_id, id) on delete cascade
) with (fillfactor = 60);
create index receipt_minutes_by_age on receipt_minutes (minute);

-- The receipts of a run's notification, by the hour; an hour may have several rows. A live run includes clicks, dismissals and
-- unsubscriptions after its updates, which change the same notification. Displays of updates do not count, because it was
-- displayed before. Every figure of a campaign is a sum of these rows (docs/figures.md).
--
-- Both views look up each run by its key, in subqueries that PostgreSQL keeps apart (offset 0): by joins it would read all updates
-- of a site for each run as long as the tables have no statistics.
create view notification_hours as
  select r.site_id, r.id as run_id, h.hour, case when k.is_own then h.displayed else 0 end as displayed, h.clicked,
    h.clicked_reporting, h.dismissed, h.unsubscribed, h.action1, h.action2,
    case when k.is_own then h.android_displayed else 0 end as android_displayed, h.android_clicked
  from runs r
    cross join lateral (select r.id, true as is_own union all (select u.id, false from runs u where r.kind = 'live'
      and u.site_id = r.site_id and u.campaign_id = r.campaign_id and u.kind = 'update' offset 0)) k
    cross join lateral (select * from receipt_hours h where h.site_id = r.site_id and h.run_id = k.id offset 0) h;

-- The sums of notification_hours for each run, as run_sums has the sums of its outcomes.
create view notification_sums as
  select r.site_id, r.id as run_id, s.*
  from runs r cross join lateral (
    select coalesce(sum(h.displayed) filter (where k.is_own), 0)::bigint as displayed,
      coalesce(sum(h.clicked), 0)::bigint as clicked, coalesce(sum(h.clicked_reporting), 0)::bigint as clicked_reporting,
      coalesce(sum(h.dismissed), 0)::bigint as dismissed, coalesce(sum(h.unsubscribed), 0)::bigint as unsubscribed
    from (select r.id, true as is_own union all (select u.id, false from runs u where r.kind = 'live'
        and u.site_id = r.site_id and u.campaign_id = r.campaign_id and u.kind = 'update' offset 0)) k
      cross join lateral (select * from receipt_hours h where h.site_id = r.site_id and h.run_id = k.id offset 0) h) s;

-- What followed clicks on a run's notification, and for a live run on its updates; a name may have several rows.
create view notification_outcomes as
  select r.site_id, r.id as run_id, o.name, o.n
  from runs r
    cross join lateral (select r.id union all (select u.id from runs u where r.kind = 'live'
      and u.site_id = r.site_id and u.campaign_id = r.campaign_id and u.kind = 'update' offset 0)) k
    cross join lateral (select name, n from click_outcomes c where c.site_id = r.site_id and c.run_id = k.id offset 0) o;

-- Counts by the minute, with the kind of the run. They include test devices.
create view notification_minutes as
  select r.site_id, r.id as run_id, r.kind, m.minute, m.displayed, m.clicked
  from receipt_minutes m join runs r on r.site_id = m.site_id and r.id = m.run_id
  union all
  select r.site_id, r.id, r.kind, m.minute, 0, m.clicked
  from receipt_minutes m join runs u on u.site_id = m.site_id and u.id = m.run_id and u.kind = 'update'
    join runs r on r.site_id = u.site_id and r.campaign_id = u.campaign_id and r.kind = 'live';

-- The sums of what the pages of a site report in a day (UTC). Nothing distinguishes two readers.
create table site_days (
  site_id uuid not null references sites (id),
  day date not null,
  -- One of ten visits is reported, and counts ten.
  visits bigint not null default 0,
  -- How often the prompt was shown, and how readers answered the browser's question.
  prompted bigint not null default 0,
  asked bigint not null default 0,
  granted bigint not null default 0,
  denied bigint not null default 0,
  primary key (site_id, day)
);
alter table receipt_bits alter column site_id set statistics 0;
create index site_days_by_age on site_days (day);
-- The first steps of a site follow it. Only the first visit of a day adds a row, so few transactions notify.
create trigger first_visit_is_told after insert on site_days for each row
  execute function tell_change('audience', 'site_id');

-- The sums of what pages report of one version of the prompt in a day (UTC).
create table prompt_days (
  site_id uuid not null,
  version text not null,
  day date not null,
  shown bigint not null,
  -- How often readers who said yes to it then allowed notifications.
  granted bigint not null,
  primary key (site_id, day, version),
  foreign key (site_id, version) references consent_prompts on delete cascade
);
create index prompt_days_by_age on prompt_days (day);

-- The readers of a site on a day (UTC), of a period in which a class leaves some out: those left out and the others, all
-- who had subscribed before the period and still are, and how many of them came. No row is of a reader.
create table holdout_days (
  site_id uuid not null references sites (id) on delete cascade,
  class text not null,
  starts_on date not null,
  percent smallint not null,
  day date not null,
  held_readers bigint not null,
  -- Null, as of the others: on that day not all were left out yet.
  held_came bigint,
  other_readers bigint not null,
  other_came bigint,
  primary key (site_id, class, starts_on, percent, day)
);
create index holdout_days_by_age on holdout_days (day);

-- The model that was learnt from the notifications of a site (docs/decisions/0026). It is computed again every day from receipts,
-- exported and erased with the site.
create table site_forecasts (
  site_id uuid primary key references sites (id) on delete cascade,
  learnt_at timestamptz not null default now(),
  -- Null: the history of this site and of the other sites is too short.
  learnt jsonb check (jsonb_typeof(learnt) = 'object')
);
create index site_forecasts_by_age on site_forecasts (learnt_at);
