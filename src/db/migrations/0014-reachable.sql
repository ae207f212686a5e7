-- The audience of a send is counted from this index alone: a million readers in a tenth of a second, where the table takes six.
-- Its condition is `isReachable` of src/subscribers/queries.ts. While it is made, imports and new readers wait.
create index reachable_subscribers on subscribers (site_id) where not is_test and refused_runs < 3;
