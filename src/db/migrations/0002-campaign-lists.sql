-- A CMS finds its campaigns by its own id, and one page of a site's campaigns costs no walk over all the others.
create index campaigns_by_external_id on campaigns (tenant_id, external_id, id desc) where external_id is not null;
create index campaigns_of_site on campaigns (tenant_id, site_id, id desc);
