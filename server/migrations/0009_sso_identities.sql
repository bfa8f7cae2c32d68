-- Who signed on: the user of each subject at each connection. Nothing else finds a user at a sign-on, neither an externalId
-- nor an e-mail, which anybody could hold at a second provider. `demo` is the simulated provider.
create table sso_identities (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  connection text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, environment, connection, subject)
);

-- Until now, a sign-on found the user whose externalId is the subject. Everybody who signed on that way keeps their user.
-- The audit log tells them apart: a tenant may record verifications of method `saml` or `oidc` itself, but only a sign-on
-- writes these two actions. Where the simulated provider was never used, it has no keys, and the log is not read.
with signed_on as materialized (
  select tenant_id, environment, entity_id::uuid as verification_id, created_at from audit_events
  where action in ('saml.verify', 'oidc.verify') and status = 'success' and exists (select 1 from demo_idp_keys)
)
insert into sso_identities (tenant_id, environment, connection, subject, user_id, created_at)
select u.tenant_id, u.environment, 'demo', u.external_id, u.id, min(s.created_at)
from signed_on s
join verifications v on v.tenant_id = s.tenant_id and v.environment = s.environment and v.id = s.verification_id
join tenant_users u on u.tenant_id = v.tenant_id and u.environment = v.environment and u.id = v.user_id
where u.external_id is not null
group by u.tenant_id, u.environment, u.external_id, u.id;

-- Last, because it locks writes to tenant_users until the end of this file.
alter table sso_identities add foreign key (tenant_id, environment, user_id)
  references tenant_users (tenant_id, environment, id);
