import type { ApiKey } from '@svc/sdk';

export type Scope = ApiKey['scopes'][number];

type Group = readonly [name: string, scopes: readonly (readonly [scope: Scope, allows: string])[]];

/** What each scope allows, in the order in which the form lists them. */
export const SCOPE_GROUPS: readonly Group[] = [
  [
    'Identities and proofs',
    [
      ['zkp:register', 'register and revoke identities'],
      ['nonce:create', 'create the nonce that a proof is bound to'],
      ['zkp:verify', 'verify proofs, and read the files that a prover needs'],
      ['identity:read', 'read, refresh and end people’s sessions'],
    ],
  ],
  [
    'Pairing',
    [
      ['proof_pairing:create', 'display a code on a desktop and wait for the phone'],
      ['proof_pairing:claim', 'sign a desktop in from a phone (the only scope of a linked phone)'],
    ],
  ],
  [
    'Records',
    [
      ['devices:read', 'list devices'],
      ['devices:write', 'create and change devices'],
      ['users:read', 'list people, and watch registrations'],
      ['users:write', 'create and change people, and start registrations'],
      ['verifications:read', 'list verifications'],
      ['verifications:write', 'record verifications'],
      ['attendance:read', 'list check-ins and check-outs'],
      ['attendance:write', 'record check-ins and check-outs'],
      ['audit:read', 'read and export the audit log'],
    ],
  ],
  [
    'Simulated sign-on',
    [
      ['saml:login', 'start a simulated SAML sign-on'],
      ['saml:callback', 'finish a simulated SAML sign-on'],
      ['oidc:authorize', 'start a simulated OIDC sign-on'],
      ['oidc:callback', 'finish a simulated OIDC sign-on'],
    ],
  ],
];

/** The scopes selected for a new key: all except simulated sign-on. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPE_GROUPS.filter(
  ([group]) => group !== 'Simulated sign-on',
)
  .flatMap(([, scopes]) => scopes)
  .map(([scope]) => scope);
