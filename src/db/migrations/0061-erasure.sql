-- When the erasure of a publisher or a site was asked for. Maintenance then deletes its rows, its own last.
alter table tenants add column erase_at timestamptz;
alter table sites add column erase_at timestamptz;
create index sites_to_erase on sites (id) where erase_at is not null;
create index tenants_to_erase on tenants (id) where erase_at is not null;

-- Readers who had all that is known of them deleted, until maintenance has taken their number out of the lists of recipients.
create table erased_subscribers (
  site_id uuid not null references sites (id) on delete cascade,
  subscriber_id bigint not null,
  primary key (site_id, subscriber_id)
);
