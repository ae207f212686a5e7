-- What a nudge has beside its text and picture: badge, language, direction and behaviour, each only where it is set. One column,
-- because nothing is searched by them. A constant default: the table is not rewritten.
alter table campaigns add column extras jsonb not null default '{}' check (jsonb_typeof(extras) = 'object');
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
