-- A person who was erased keeps an id and these columns. The key that did it, if one did, can erase so many people a day.
alter table tenant_users
  add column erased_at timestamptz(3),
  add column erasure_id uuid,
  add column erasing_key_id uuid;
create index tenant_users_erased on tenant_users (tenant_id, environment, erased_at) where erased_at is not null;
