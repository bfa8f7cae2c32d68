-- Challenges of WebAuthn that nobody has answered yet: SHA-256 of the challenge, what it is for, and for whom. Who signs in is not known
-- before the answer.
create table webauthn_challenges (
  challenge_hash text primary key,
  purpose text not null check (purpose in ('register', 'sign-in', 'step-up', 'join')),
  tenant_id uuid references tenants (id),
  member_id uuid,
  expires_at timestamptz(3) not null,
  check ((purpose = 'sign-in') = (tenant_id is null)),
  check ((tenant_id is null) = (member_id is null))
);
create index webauthn_challenges_expiry on webauthn_challenges (expires_at);
create index webauthn_challenges_member on webauthn_challenges (tenant_id, member_id);
