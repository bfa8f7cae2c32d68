create index attendance_site on attendance (tenant_id, environment, site_id, occurred_at, id) where site_id is not null;
create index attendance_voided on attendance (tenant_id, environment, id) where voided_by is not null;
