alter table proof_pairing_sessions
  -- `oidc`: for a sign-in page of the OpenID Provider. Such a session has no /v1 tokens.
  add column purpose text not null default 'sign_in' check (purpose in ('sign_in', 'oidc')),
  -- SHA-256 of the interaction that it belongs to.
  add column interaction_hash text,
  add column identity_id uuid,
  add column verification_id uuid;
