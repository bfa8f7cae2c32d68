-- Who works with hours, who reads them for others, at which sites (null: all), and which person the member is.
alter table members
  add column hours boolean not null default false,
  add column representative boolean not null default false,
  add column site_ids uuid[],
  add column user_id uuid,
  add column user_environment text check (user_environment in ('live', 'test'));
