-- Feeds that suggest: their items become drafts for the editors. Locks feed_items while its rows are read once for the new
-- check: a second for a million items.
alter table feeds add column suggest boolean not null default false;
alter table feeds add constraint feeds_send_or_suggest check (not (suggest and override));

alter table feed_items drop constraint feed_items_status_check;
alter table feed_items add constraint feed_items_status_check
  check (status in ('seen', 'new', 'asked', 'waiting', 'suggested', 'sent', 'skipped'));

drop trigger feed_item_moves on feed_items;
create trigger feed_item_moves before update of status on feed_items for each row
  execute function refuse_illegal_move('new>waiting', 'new>asked', 'new>suggested', 'new>sent', 'new>skipped', 'asked>new',
    'asked>skipped', 'waiting>asked', 'waiting>suggested', 'waiting>sent', 'waiting>skipped');
