-- The reader's side: what a site shows and allows in browsers, the language of a nudge, and what readers did with it.

alter table sites
  -- Web origins beside that of `url` whose pages may subscribe readers.
  add column origins text[] not null default '{}' check (cardinality(origins) <= 20),
  add column icon_url text,
  add column utm_source text,
  add column utm_medium text,
  add column utm_campaign text,
  -- Only what the site sets of its soft prompt; src/tenants/prompt.ts has the rest.
  add column prompt jsonb not null default '{}',
  -- Where a nudge leads: to the article itself with a token in its query, or through this service.
  add column link_mode text not null default 'token' check (link_mode in ('token', 'redirect')),
  -- A subscription that no browser has confirmed for so long is removed. Null: never.
  add column dormant_months integer default 12 check (dormant_months between 1 and 120);

-- BCP 47, of the article that the text was written from.
alter table campaigns add column language text;
-- campaign_states is c.* of the day on which it was made.
drop view campaign_states;
create view campaign_states as
  select c.*, r.id as run_id,
    case
      when c.status <> 'started' then c.status
      when r.status in ('queued', 'sending') then 'sending'
      when r.status in ('stopping', 'stopped') then 'stopped'
      when r.status = 'completed' then 'sent'
      else 'failed'
    end as shown_status
  from campaigns c
  left join runs r on r.site_id = c.site_id and r.campaign_id = c.id and r.kind = 'live';

-- Who was in which place of a run is forgotten some days after its end: see src/runs/expire-batches.ts.
alter table runs add column pruned_at timestamptz;
create index runs_to_prune on runs (finished_at) where finished_at is not null and pruned_at is null;

-- A bit for each recipient of a batch, by its position: displayed 1, clicked 2, dismissed 3, unsubscribed 4. Goes with
-- the recipients. `added`: how many bits the last write set, for the count beside it to be exact.
create table receipt_bits (
  site_id uuid not null,
  run_id uuid not null,
  no integer not null,
  kind smallint not null check (kind between 1 and 4),
  bits bit(1024) not null,
  added smallint not null,
  primary key (site_id, run_id, no, kind),
  foreign key (site_id, run_id, no) references run_recipients (site_id, run_id, no) on delete cascade
) with (fillfactor = 60);

-- What a run shows; kept as long as the run. `hour` by the database's clock, UTC.
create table receipt_hours (
  site_id uuid not null,
  run_id uuid not null,
  hour timestamptz not null,
  displayed integer not null default 0,
  clicked integer not null default 0,
  dismissed integer not null default 0,
  unsubscribed integer not null default 0,
  primary key (site_id, run_id, hour),
  foreign key (site_id, run_id) references runs (site_id, id)
) with (fillfactor = 60);
