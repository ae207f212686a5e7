-- What becomes of a story whose date of publication is unknown: skip blocks it; ask holds a feed's item for the owner's answer.
-- Locks sites and feed_items for a moment.
alter table sites add column undated_stories text not null default 'ask'
  constraint undated_stories check (undated_stories in ('send', 'ask', 'skip'));

-- The owner has answered for the item: it is not asked about again.
alter table feed_items add column answered boolean not null default false;

drop trigger feed_item_moves on feed_items;
create trigger feed_item_moves before update of status on feed_items for each row
  execute function refuse_illegal_move('new>waiting', 'new>asked', 'new>sent', 'new>skipped', 'asked>new', 'asked>skipped',
    'waiting>asked', 'waiting>sent', 'waiting>skipped');
