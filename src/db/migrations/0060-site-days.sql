-- What the pages of a site report of a day (UTC), added up: nothing tells two readers apart.
create table site_days (
  site_id uuid not null references sites (id),
  day date not null,
  -- Of ten visits a page reports one, which counts ten.
  visits bigint not null default 0,
  -- How often the prompt was shown, and what became of the browser's question.
  prompted bigint not null default 0,
  asked bigint not null default 0,
  granted bigint not null default 0,
  denied bigint not null default 0,
  primary key (site_id, day)
);
create index site_days_by_age on site_days (day);
