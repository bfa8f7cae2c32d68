import type { ApiKey } from '@svc/sdk';
import { DEFAULT_SCOPES } from '../../generated/scopes';

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
      ['proof_pairing:create', 'display a code on a computer and wait for the phone'],
      ['proof_pairing:claim', 'sign in on a computer with your own phone app, which has a key'],
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
      ['attendance:codes', 'show a code at which people clock in and out'],
      ['sites:read', 'list sites'],
      ['sites:write', 'create and change sites'],
      ['audit:read', 'read and export the audit log'],
    ],
  ],
  [
    'What applications get',
    [['users:claims', 'change what applications get of people, such as groups and e-mails']],
  ],
  [
    'Lost phones',
    [['users:recover', 'open, confirm and cancel recoveries, which replace the phones of a person']],
  ],
  ['People who leave', [['users:erase', 'erase everything personal about people, for good']]],
  [
    'Approvals',
    [
      ['approvals:read', 'list approvals, wait for decisions, and download receipts'],
      ['approvals:write', 'ask people to approve an action, and cancel that'],
      ['approvals:consume', 'use an approval, once, for the approved action'],
    ],
  ],
  [
    'Events and webhooks',
    [
      ['events:read', 'read and follow events, and list webhooks and their deliveries'],
      ['webhooks:write', 'create, change and delete webhooks, and send events again'],
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

const READ_ONLY: readonly Scope[] = DEFAULT_SCOPES.filter(
  // Despite its name, this one also allows to end sessions.
  (scope) => scope.endsWith(':read') && scope !== 'identity:read',
);

export type Preset = 'server' | 'phone' | 'read' | 'events' | 'custom';

/** What most keys are for. `custom` has no scopes of its own. */
export const PRESETS: Readonly<
  Record<Preset, { readonly name: string; readonly about: string; readonly scopes?: readonly Scope[] }>
> = {
  server: {
    name: 'Server',
    about:
      'Everything except what applications get, recoveries, erasures, approvals, events, webhooks and simulated sign-on.',
    scopes: DEFAULT_SCOPES,
  },
  phone: {
    name: 'Phone',
    about: 'Only what a phone needs: sign in on a computer.',
    scopes: ['proof_pairing:claim'],
  },
  read: {
    name: 'Read only',
    about: 'Devices, people, verifications, attendance and the audit log.',
    scopes: READ_ONLY,
  },
  events: {
    name: 'Events',
    about: 'Follow events, and manage webhooks.',
    scopes: ['events:read', 'webhooks:write'],
  },
  custom: { name: 'Custom', about: 'Choose each scope.' },
};

/** `Read only`, or `3 scopes` for a key that is like no preset. */
export function nameOfScopes(scopes: readonly Scope[]): string {
  const preset = Object.values(PRESETS).find(
    (one) => one.scopes?.length === scopes.length && one.scopes.every((scope) => scopes.includes(scope)),
  );
  if (preset) return preset.name;
  return scopes.length === 1 ? '1 scope' : `${scopes.length} scopes`;
}

/** Requests that show that a key works, without a parameter. The first that the scopes allow is used. */
const FIRST_REQUESTS: readonly (readonly [scope: Scope, path: string])[] = [
  ['users:read', '/v1/users'],
  ['devices:read', '/v1/devices'],
  ['verifications:read', '/v1/verifications'],
  ['attendance:read', '/v1/attendance'],
  ['audit:read', '/v1/audit'],
  ['events:read', '/v1/events'],
  ['approvals:read', '/v1/approvals'],
  ['nonce:create', '/v1/auth/zkp/nonce'],
  ['zkp:verify', '/v1/auth/zkp/circuit-info'],
];

/** The path of a GET request that the scopes allow, if there is one that needs nothing else. */
export const firstRequestOf = (scopes: readonly Scope[]): string | undefined =>
  FIRST_REQUESTS.find(([scope]) => scopes.includes(scope))?.[1];
