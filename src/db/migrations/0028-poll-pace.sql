-- The longest pause between polls of a feed that succeed: an owner may shorten the six hours that ttl and Cache-Control can ask
-- for. Locks feeds for a moment.
alter table feeds add column poll_seconds integer not null default 21600
  constraint poll_pace check (poll_seconds between 30 and 21600);
