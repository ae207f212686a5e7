-- An update changes a nudge that is on screens: a score, a count of votes. It is a run of its own kind of the same campaign.
alter table runs drop constraint runs_kind_check;
alter table runs add constraint runs_kind_check check (kind in ('live', 'test', 'digest', 'update')) not valid;
create index updates_of_campaign on runs (site_id, campaign_id, id) where kind = 'update';

-- The readers who have closed or opened a nudge that is updated: they get no more updates of it.
create table closed_nudges (
  site_id uuid not null,
  -- The live run of the nudge.
  run_id uuid not null,
  subscriber_id bigint not null,
  primary key (site_id, run_id, subscriber_id),
  foreign key (site_id, subscriber_id) references subscribers (site_id, id) on delete cascade
);
create index closed_nudges_of_subscriber on closed_nudges (site_id, subscriber_id);
