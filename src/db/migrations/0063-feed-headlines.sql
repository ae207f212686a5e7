-- Whether a feed's own title of a story is tried against that of its page.
alter table feeds add column test_headlines boolean not null default false;
