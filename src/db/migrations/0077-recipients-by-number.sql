-- The lists of recipients that may name a reader (runs/reader-places.ts): first and last number of each list. A
-- last place of 0 is that of an erased reader, whose number is not known any more. The index reads all lists once, and plans and
-- expiry wait meanwhile: 2.7 s for 20 million recipients.
create index recipients_by_number on run_recipients (site_id,
  (coalesce(nullif(subscriber_ids[cardinality(subscriber_ids)], 0), 9223372036854775807)), (subscriber_ids[1]));
