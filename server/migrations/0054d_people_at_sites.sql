-- Where somebody works, and whether they may clock in from anywhere. Null: as the site says.
alter table tenant_users
  add column site_id uuid,
  add column attendance_from text check (attendance_from in ('desk', 'anywhere'));
