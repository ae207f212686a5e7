-- What new readers are sent: a welcome, and up to three more nudges on later days (docs/decisions/0025).
create table welcomes (
  site_id uuid primary key references sites (id),
  enabled boolean not null,
  -- A list of at most four, in their order: afterDays (since the reader subscribed), title, body, url, imageUrl, topicId
  -- (null: readers of any topic or none), onlyUnclicked. Not jsonb, which would change their order.
  steps json not null,
  changed_at timestamptz not null default now()
);

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

-- A welcome is a run of its own kind, of no campaign: one for each step and moment at which readers are due.
alter table runs add column welcome_step smallint;
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check check (kind in ('live', 'test', 'digest', 'update', 'welcome')) not valid;
alter table runs drop constraint runs_campaign_check;
alter table runs add constraint runs_campaign_check
  check ((kind in ('digest', 'welcome')) = (campaign_id is null)) not valid;
create index welcome_runs on runs (site_id, created_at) where kind = 'welcome';
