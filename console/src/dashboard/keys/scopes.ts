import type { ApiKey } from '@svc/sdk';

export type Scope = ApiKey['scopes'][number];

type Group = readonly [name: string, scopes: readonly (readonly [scope: Scope, allows: string])[]];

/** What each scope allows, in the order in which people meet them. */
export const SCOPE_GROUPS: readonly Group[] = [
  [
    'Identities and proofs',
    [
      ['zkp:register', 'register and revoke identities'],
      ['nonce:create', 'ask for the nonce that a proof is bound to'],
      ['zkp:verify', 'verify proofs, and read what a prover needs'],
      ['identity:read', 'read, refresh and end the sessions of people'],
    ],
  ],
  [
    'Pairing',
    [
      ['proof_pairing:create', 'show a code on a desktop and wait for the phone'],
      ['proof_pairing:claim', 'sign a desktop in from a phone; all that a linked phone gets'],
    ],
  ],
  [
    'Records',
    [
      ['devices:read', 'list devices'],
      ['devices:write', 'create and change devices'],
      ['users:read', 'list people, and watch registrations'],
      ['users:write', 'create and change people, and open registrations'],
      ['verifications:read', 'list verifications'],
      ['verifications:write', 'record verifications'],
      ['attendance:read', 'list who came and went'],
      ['attendance:write', 'record who came and went'],
      ['audit:read', 'read and export the audit log'],
    ],
  ],
  [
    'Simulated sign-on',
    [
      ['saml:login', 'begin a simulated SAML sign-on'],
      ['saml:callback', 'finish a simulated SAML sign-on'],
      ['oidc:authorize', 'begin a simulated OIDC sign-on'],
      ['oidc:callback', 'finish a simulated OIDC sign-on'],
    ],
  ],
];

/** What a new key gets unless told otherwise: all but simulated sign-on. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPE_GROUPS.filter(
  ([group]) => group !== 'Simulated sign-on',
)
  .flatMap(([, scopes]) => scopes)
  .map(([scope]) => scope);
