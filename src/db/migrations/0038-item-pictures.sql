-- The picture that a feed announces with an item. Adds a column without a default: no table is rewritten.
alter table feed_items add column image_url text;
