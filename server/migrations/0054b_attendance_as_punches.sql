-- What an attendance event says as working time. Null in events from before.
alter table attendance
  add column reason text check (reason in ('work', 'break')),
  add column activity text,
  add column mode text check (mode in ('desk', 'remote')),
  add column evidence text check (evidence in ('proved', 'declared', 'agreed', 'asserted')),
  add column site_id uuid,
  add column correction_id uuid,
  add column contested_at timestamptz(3),
  add column voided_by uuid;
