-- What a site counts of its readers (docs/privacy.md): full, aggregate, or off. Rewrites nothing.
alter table sites add column receipts text not null default 'full' check (receipts in ('full', 'aggregate', 'off'));
