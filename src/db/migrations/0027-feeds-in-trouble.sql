-- What the owners of a feed are told of: since when it fails, whether they know, and what it held at its last poll, to tell
-- a feed that was replaced from one that has much news. Locks feeds for a moment.
alter table feeds
  -- The last poll that succeeded.
  add column worked_at timestamptz,
  -- The first of the polls that have failed since.
  add column failing_since timestamptz,
  -- The e-mail about it to the owners.
  add column failing_told_at timestamptz,
  -- The keys (see feed_keys) of the first entries of the last document that was polled.
  add column held_keys bytea[];
update feeds set worked_at = polled_at where failures = 0;
