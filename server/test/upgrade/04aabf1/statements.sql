-- The statements that a node of 04aabf1 sends most, as recorded from one.

-- find key
select k.key_hash, k.id, k.environment, k.scopes, k.expires_at, k.revoked_at, t.id as tenant_id, t.email, t.company_name,
  t.plan, t.status, t.security_policy, t.created_at as tenant_created_at from api_keys k join tenants t on t.id = k.tenant_id
  where k.key_hash = any($1::text[]);

-- claim idempotency key
select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free;

-- lock head
select tenant_id, environment, seq, hash, last_at from audit_heads where tenant_id = $1 and environment = $2 for update;

-- check key
select 1 from api_keys k join tenants t on t.id = k.tenant_id where k.tenant_id = $1 and k.id = $2 and k.revoked_at is null and
  t.status = 'active' and (k.expires_at is null or k.expires_at > $3);

-- lock tenant
select 1 from tenants where id = $1 for no key update;

-- insert device
insert into devices (tenant_id, environment, id, name, device_type, external_id, location_id, battery_level, metadata, status,
  enrollment_state, fingerprint, attestation_kind, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9::json,
  $10, $11, $12, $13, $14, $15) returning id, environment, name, device_type, external_id, location_id, battery_level, metadata,
  status, enrollment_state, fingerprint, attestation_kind, last_seen_at, created_at, updated_at;

-- update device
update devices set battery_level = $1, updated_at = $2 where tenant_id = $3 and environment = $4 and id = $5 and true returning
  id, environment, name, device_type, external_id, location_id, battery_level, metadata, status, enrollment_state, fingerprint,
  attestation_kind, last_seen_at, created_at, updated_at;

-- insert user
insert into tenant_users (tenant_id, environment, id, full_name, external_id, email, phone, employee_code, primary_device_id,
  metadata, created_at, updated_at) select $1::uuid, $2, $3::uuid, $4, $5, $6, $7, $8, $9::uuid, $10::json, $11::timestamptz,
  $12::timestamptz where ($13::uuid is null or exists (select 1 from devices where tenant_id = $14 and environment = $15 and id
  = $16)) returning id, environment, full_name, external_id, email, phone, employee_code, primary_device_id, metadata, status,
  created_at, updated_at;

-- know records
select $1::uuid is null or exists (select 1 from tenant_users where tenant_id = $2 and environment = $3 and id = $4) as
  user_known, $5::uuid is null or exists (select 1 from devices where tenant_id = $6 and environment = $7 and id = $8) as
  device_known;

-- insert verification
insert into verifications (tenant_id, id, environment, method, result, user_id, device_id, reason, confidence_score,
  reference_id, metadata, occurred_at, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::json, $12, $13);

-- insert attendance
insert into attendance (tenant_id, environment, id, user_id, type, device_id, verification_id, result, metadata, occurred_at,
  created_at) select $1::uuid, $2, $3::uuid, $4::uuid, $5, $6::uuid, $7::uuid, coalesce($8, case when verification_result <>
  'pass' then 'rejected' else 'accepted' end), $9::json, $10::timestamptz, $11::timestamptz from (select exists (select 1 from
  tenant_users where tenant_id = $12 and environment = $13 and id = $14) as user_known, $15::uuid is null or exists (select 1
  from devices where tenant_id = $16 and environment = $17 and id = $18) as device_known, $19::uuid is null or v.id is not null
  as verification_known, v.user_id is null or v.user_id = $20 as verification_theirs, v.result as verification_result from
  (select 1) as one left join verifications v on v.tenant_id = $21 and v.environment = $22 and v.id = $23::uuid) as named where
  user_known and device_known and verification_known and verification_theirs returning id, environment, user_id, type,
  device_id, verification_id, result, metadata, occurred_at, created_at;

-- find idempotency key
select body_hash, record_id from idempotency_keys where tenant_id = $1 and environment = $2 and route = $3 and key = $4 and
  expires_at > $5;

-- insert idempotency key
insert into idempotency_keys (tenant_id, environment, route, key, body_hash, record_id, expires_at) values ($1, $2, $3, $4, $5,
  $6, $7) on conflict (tenant_id, environment, route, key) do update set body_hash = excluded.body_hash, record_id =
  excluded.record_id, expires_at = excluded.expires_at;

-- insert pairing
insert into proof_pairing_sessions (tenant_id, environment, id, nonce, bind_hash, created_at, expires_at) values ($1, $2, $3,
  $4, $5, $6, $7);

-- insert registration
insert into registration_sessions (tenant_id, environment, id, state, profile, created_at, updated_at, expires_at) values ($1,
  $2, $3, 'awaiting_device', $4::json, $5, $6, $7) returning id, environment, state, profile, device_id, did, commitment,
  user_id, failures, created_at, updated_at, expires_at;

-- delete codes
delete from one_time_codes where tenant_id = $1 and environment = $2 and subject_id = $3 and used_at is null;

-- insert code
with held as ( select count(*) < $1 as room from one_time_codes where tenant_id = $2 and used_at is null and expires_at > $3 ),
  made as ( insert into one_time_codes (code_hash, purpose, tenant_id, environment, subject_id, expires_at) select $4, $5,
  $6::uuid, $7, $8::uuid, $9::timestamptz from held where room on conflict do nothing returning 1 ) select room, exists (select
  1 from made) as made from held;

-- insert events
insert into audit_events (tenant_id, environment, seq, id, actor_type, actor_id, action, entity_type, entity_id, status,
  summary, created_at, metadata, canonical, prev_hash, hash) select e."tenantId", e.environment, e.seq, e.id, e."actorType",
  e."actorId", e.action, e."entityType", e."entityId", e.status, e.summary, e."createdAt", e.metadata, e.canonical,
  e."prevHash", e.hash from json_to_recordset($1::json) as e ("tenantId" uuid, environment text, seq bigint, id uuid,
  "actorType" text, "actorId" text, action text, "entityType" text, "entityId" text, status text, summary text, "createdAt"
  timestamptz, metadata jsonb, canonical text, "prevHash" text, hash text);

-- update heads
update audit_heads h set seq = n.seq, hash = n.hash, last_at = n.at, key_id = n."keyId", signature = n.signature from
  json_to_recordset($1::json) as n ("tenantId" uuid, environment text, seq bigint, hash text, at timestamptz, "keyId" text,
  signature text) where h.tenant_id = n."tenantId" and h.environment = n.environment;

-- list devices
select id, environment, name, device_type, external_id, location_id, battery_level, metadata, status, enrollment_state,
  fingerprint, attestation_kind, last_seen_at, created_at, updated_at from devices where tenant_id = $1 and environment = $2
  order by id desc limit $3;

-- list users
select id, environment, full_name, external_id, email, phone, employee_code, primary_device_id, metadata, status, created_at,
  updated_at from tenant_users where tenant_id = $1 and environment = $2 order by id desc limit $3;

-- list verifications
select id, environment, method, result, user_id, device_id, reason, confidence_score, reference_id, metadata, occurred_at,
  created_at from verifications where tenant_id = $1 and environment = $2 order by id desc limit $3;

-- find pairing
select t.id, t.created_at, t.nonce, t.bind_hash, t.state, t.expires_at, t.error_count, t.errors, t.bound_at, t.user_id, t.did,
  t.desktop_session_id, case when exists (select 1 from sessions s join identities i on i.tenant_id = s.tenant_id and
  i.environment = s.environment and i.id = s.identity_id join tenant_users u on u.tenant_id = s.tenant_id and u.environment =
  s.environment and u.id = s.user_id join refresh_tokens r on r.tenant_id = s.tenant_id and r.environment = s.environment and
  r.session_id = s.id where s.tenant_id = t.tenant_id and s.environment = t.environment and s.id = t.desktop_session_id and
  s.revoked_at is null and i.revoked_at is null and u.status = 'active' and r.token_hash = t.desktop_refresh_hash and r.used_at
  is null) then t.desktop_refresh_sealed end as desktop_refresh_sealed from proof_pairing_sessions t where t.tenant_id = $1 and
  t.environment = $2 and t.id = $3;

-- find heads
select asked.chain, h.seq from unnest($1::text[]) as asked (chain) join audit_heads h on h.tenant_id = split_part(asked.chain,
  '|', 1)::uuid and h.environment = split_part(asked.chain, '|', 2);

-- count calls
with changes as (select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]) as c (tenant_id, month,
  used, lease, unleased)), this_commit as (select set_config('synchronous_commit', $6, true)) insert into usage_months as u
  (tenant_id, month, used) select tenant_id, month, used from changes, this_commit order by tenant_id, month on conflict
  (tenant_id, month) do update set used = u.used + excluded.used, leases = ( select case when c.lease is null or not u.leases ?
  c.lease then u.leases when (u.leases->c.lease->>0)::bigint <= c.unleased then u.leases - c.lease else jsonb_set(u.leases,
  array[c.lease, '0'], to_jsonb((u.leases->c.lease->>0)::bigint - c.unleased)) end from changes c where c.tenant_id =
  u.tenant_id and c.month = u.month);

-- insert recent calls
insert into recent_calls (tenant_id, id, method, endpoint, status, environment, called_at, duration_ms) select * from
  unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::timestamptz[], $8::integer[]);

-- delete recent calls
delete from recent_calls r using ( select tenant_id, id, row_number() over (partition by tenant_id order by id desc) as place
  from recent_calls where tenant_id = any($1::uuid[]) ) ranked where ranked.place > $2 and r.tenant_id = ranked.tenant_id and
  r.id = ranked.id;

-- touch keys
update api_keys k set last_used_at = u.at from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (tenant_id, id, at) where
  k.tenant_id = u.tenant_id and k.id = u.id;

-- insert identity
insert into identities (tenant_id, environment, id, user_id, did, commitment, external_id, attestation, device_id, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8::json, $9, $10)
  returning id, user_id, did, commitment, created_at, revoked_at;

-- record pairing error
update proof_pairing_sessions set error_count = error_count + 1,
  errors = (errors || $1::text)[greatest(1, cardinality(errors) - 18):]
  where tenant_id = $2 and environment = $3 and id = $4 and state = 'issued' and expires_at > $5;
