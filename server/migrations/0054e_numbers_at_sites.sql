-- The personnel number finds one person at a site.
create unique index tenant_users_site_number on tenant_users (tenant_id, environment, site_id, employee_code)
  where site_id is not null and employee_code is not null;
create index tenant_users_site on tenant_users (tenant_id, environment, site_id) where site_id is not null;
