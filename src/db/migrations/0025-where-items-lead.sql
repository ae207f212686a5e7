-- The items of a feed lead to the site's own host, and to those that an owner allows. Feeds that are there go on: the hosts
-- to which their items have led are allowed. Locks feeds while it reads all items, of 90 days: seconds for a million.
alter table feeds add column allowed_hosts text[] not null default '{}';

with led as (
  select i.feed_id, substring(lower(i.url) from '^https?://([^/:?#\[]+)') as host, count(*) as n
  from feed_items i where i.url is not null group by 1, 2),
foreign_hosts as (
  select l.feed_id, l.host, row_number() over (partition by l.feed_id order by l.n desc, l.host) as place
  from led l join feeds f on f.id = l.feed_id join sites s on s.id = f.site_id,
    lateral (select regexp_replace(substring(lower(s.url) from '^https?://(?:[^/@]*@)?([^/:?#\[]+)'), '^www\.', '') as host) own
  where l.host is not null and l.host is distinct from own.host
    and right(l.host, length(own.host) + 1) is distinct from '.' || own.host)
update feeds f set allowed_hosts = (
  select array_agg(h.host order by h.place) from foreign_hosts h where h.feed_id = f.id and h.place <= 100)
where exists (select from foreign_hosts h where h.feed_id = f.id);
