-- How many subscribers joined a site, by day: the overview counted only those that still exist. A trigger writes it in the
-- statement that adds them. Creates a table and a trigger, which waits for the transactions that write subscribers, and
-- reads the subscribers of the last 32 days, whose earlier numbers are lost.
create table subscribers_joined (
  site_id uuid not null references sites on delete cascade,
  -- In the time zone that the site had then.
  day date not null,
  -- By a browser. False: imported. Apart, so that a long import makes no registration wait for its commit.
  registered boolean not null,
  n bigint not null,
  primary key (site_id, day, registered)
);

create function count_joined() returns trigger language plpgsql as $$
begin
  insert into subscribers_joined as j (site_id, day, registered, n)
  select added.site_id, (added.created_at at time zone s.time_zone)::date, added.registered, count(*)
  from added join sites s on s.id = added.site_id
  where not added.is_test
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (site_id, day, registered) do update set n = j.n + excluded.n;
  return null;
end
$$;

create trigger subscribers_are_counted after insert on subscribers
  referencing new table as added for each statement execute function count_joined();

insert into subscribers_joined as j (site_id, day, registered, n)
select u.site_id, (u.created_at at time zone s.time_zone)::date, u.registered, count(*)
from subscribers u join sites s on s.id = u.site_id
where not u.is_test and u.created_at > now() - interval '32 days'
group by 1, 2, 3;
