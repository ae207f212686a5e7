-- API keys that may do less, or end by themselves. Both columns are null in all rows: no rewrite, and a lock for moments.
alter table api_keys
  -- Null: all of them, also those that a later version adds.
  add scopes text[] check (cardinality(scopes) > 0 and scopes <@ array['preview', 'draft', 'send', 'read']),
  add expires_at timestamptz;
