-- A site that its publisher gives up: nothing is sent for it any more, its readers are deleted in small pieces, and what
-- was sent stays in the tenant's history. Adding the column rewrites nothing.
alter table sites add column removed_at timestamptz;
