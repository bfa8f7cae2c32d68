import type { Act } from '../../../src/model/acts.js';
import type { Role } from '../../../src/model/roles.js';
import { DEFAULT_SCOPES } from '../../../src/model/scopes.js';
import { createClient } from '../oidc-clients.js';
import { registerPerson } from '../phone.js';
import { beforeProof, complete } from '../recoveries.js';
import type { Prepared, Stage } from './prepared.js';

/** A request that causes acts which only some bodies or records cause. */
export interface ActCase {
  /** METHOD and path of the route. */
  readonly route: string;
  readonly acts: readonly Act[];
  readonly prepare: (stage: Stage) => Promise<Prepared>;
  /** With a key, the same request is another act. */
  readonly onlyMembers?: true;
  /** Of these roles, the same request is another act. */
  readonly anotherOf?: readonly Role[];
}

async function device({ service, account }: Stage, change: object): Promise<string> {
  const made = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
  const path = `/v1/devices/${made.body.device.id}`;
  await service.call('PATCH', path, { as: account.key, body: change });
  return made.body.device.id;
}

const statusOf =
  (base: string, from: object, status: string) =>
  async (stage: Stage): Promise<Prepared> => ({
    path: `${base}/${await device(stage, from)}`,
    body: { status },
  });

/** A pending recovery, and what it waits with. */
async function recovery({ service, account }: Stage) {
  const person = await registerPerson(service, account.key);
  const as = await service.createKey(account, 'live', ['users:write', 'users:recover']);
  const ceremony = await beforeProof(service, account, person.userId, { as });
  const { body } = await complete(service, ceremony);
  return { id: ceremony.id, did: ceremony.identity.did, deviceId: body.device.id as string };
}

async function ownersKey({ service, account }: Stage): Promise<string> {
  const body = { name: 'Desk', environment: 'live', scopes: ['users:recover'] };
  const made = await service.call('POST', '/api/console/keys', { as: account.token, body });
  return `/api/console/keys/${made.body.apiKey.id}`;
}

const ofOwnersKey =
  (suffix: string, body?: object) =>
  async (stage: Stage): Promise<Prepared> => ({
    path: (await ownersKey(stage)) + suffix,
    ...(body && { body }),
  });

const ACTIVE = { status: 'inactive' };
const CLAIM = { fullName: 'Ada', email: 'ada@example.com' };

/** With an application that gets the e-mail and the groups of people. */
const readByApplication = async ({ service, account }: Stage, prepared: Prepared): Promise<Prepared> => {
  await createClient(service, account, { claims: { email: true, groups: 'metadata.groups' } });
  return prepared;
};

export const ACT_CASES: readonly ActCase[] = [
  {
    route: 'PATCH /api/console/devices/:id',
    acts: ['enrol_device'],
    prepare: statusOf('/api/console/devices', ACTIVE, 'active'),
  },
  {
    route: 'PATCH /api/console/devices/:id',
    acts: ['revoke_device'],
    prepare: statusOf('/api/console/devices', { name: 'Gate' }, 'retired'),
  },
  {
    route: 'PATCH /v1/devices/:deviceId',
    acts: ['enrol_device'],
    prepare: statusOf('/v1/devices', ACTIVE, 'active'),
  },
  {
    route: 'PATCH /v1/devices/:deviceId',
    acts: ['revoke_device'],
    prepare: statusOf('/v1/devices', { name: 'Gate' }, 'retired'),
  },
  {
    route: 'DELETE /api/console/devices/:id',
    acts: ['revoke_device', 'end_recovery'],
    prepare: async (stage) => ({ path: `/api/console/devices/${(await recovery(stage)).deviceId}` }),
  },
  {
    route: 'POST /v1/registrations',
    acts: ['recover'],
    // They ask for it.
    anotherOf: ['reception', 'developer'],
    prepare: async ({ service, account }) => ({
      body: { userId: (await registerPerson(service, account.key)).userId },
    }),
  },
  {
    route: 'POST /v1/registrations',
    acts: ['ask_recovery'],
    onlyMembers: true,
    prepare: async ({ service, account }) => ({
      body: { userId: (await registerPerson(service, account.key)).userId },
    }),
  },
  {
    route: 'POST /v1/registrations',
    acts: ['add_phone'],
    prepare: async ({ service, account }) => {
      const made = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
      return { body: { userId: made.body.user.id } };
    },
  },
  {
    route: 'DELETE /v1/registrations/:id',
    acts: ['end_recovery'],
    prepare: async (stage) => ({ path: `/v1/registrations/${(await recovery(stage)).id}` }),
  },
  {
    route: 'POST /v1/identity/revoke',
    acts: ['revoke_identity', 'end_recovery'],
    prepare: async (stage) => ({ body: { did: (await recovery(stage)).did } }),
  },
  {
    route: 'POST /v1/identity/register',
    acts: ['add_phone'],
    prepare: async ({ service, account }) => {
      const externalId = crypto.randomUUID();
      const body = { fullName: 'Ada', externalId };
      await service.call('POST', '/v1/users', { as: account.key, body });
      const did = `did:svc:${crypto.randomUUID().replaceAll('-', '')}`;
      const commitment = crypto.randomUUID().replaceAll('-', '').padStart(64, '0');
      return { body: { did, commitment, externalId } };
    },
  },
  {
    route: 'POST /v1/users',
    acts: ['write_claims'],
    // Nobody has confirmed an e-mail address that reception typed.
    anotherOf: ['reception'],
    prepare: (stage) => readByApplication(stage, { body: CLAIM }),
  },
  {
    route: 'POST /v1/users/import',
    acts: ['write_claims'],
    prepare: (stage) => readByApplication(stage, { body: { users: [CLAIM] } }),
  },
  {
    route: 'PATCH /v1/users/:userId',
    acts: ['write_claims'],
    anotherOf: ['reception'],
    prepare: async (stage) => {
      const { service, account } = stage;
      const made = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
      return readByApplication(stage, { path: `/v1/users/${made.body.user.id}`, body: CLAIM });
    },
  },
  {
    route: 'PATCH /v1/users/:userId',
    acts: ['deactivate'],
    prepare: async ({ service, account }) => {
      const made = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
      return { path: `/v1/users/${made.body.user.id}`, body: { status: 'inactive' } };
    },
  },
  {
    route: 'PATCH /v1/users/:userId',
    acts: ['readmit'],
    prepare: async ({ service, account }) => {
      const made = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
      const path = `/v1/users/${made.body.user.id}`;
      await service.call('PATCH', path, { as: account.key, body: { status: 'inactive' } });
      return { path, body: { status: 'active' } };
    },
  },
  {
    route: 'POST /v1/registrations',
    acts: ['write_claims'],
    prepare: (stage) =>
      readByApplication(stage, { body: { profile: { fullName: 'Ada', metadata: { groups: ['admins'] } } } }),
  },
  {
    route: 'POST /api/console/keys',
    acts: ['change_key', 'change_owner_key'],
    prepare: async () => ({
      body: { name: 'Desk', environment: 'live', scopes: [...DEFAULT_SCOPES, 'users:erase'] },
    }),
  },
  {
    route: 'PATCH /api/console/keys/:keyId',
    acts: ['change_key', 'change_owner_key'],
    prepare: ofOwnersKey('', { allowedCidrs: [] }),
  },
  {
    route: 'POST /api/console/keys/:keyId/rotate',
    acts: ['change_key', 'change_owner_key'],
    prepare: ofOwnersKey('/rotate', { graceSeconds: 60 }),
  },
  {
    route: 'DELETE /api/console/keys/:keyId',
    acts: ['change_key', 'change_owner_key'],
    prepare: ofOwnersKey(''),
  },
];

const OWN = 'of the member who asks, or of their own log-in';
const PASSWORD = 'asks for the password, or for a confirmation without one';
const PROOF = 'a proof of the person’s phone decides';
const RECORD = 'writes what happened, and gives nobody anything';

/** Writes with a key or a log-in that cause no act that is judged, each with the reason. */
export const WITHOUT_ACTS: Readonly<Record<string, string>> = {
  'POST /api/console/logout': OWN,
  'DELETE /api/console/login-sessions/:loginSessionId': OWN,
  'POST /api/console/step-up': 'is the confirmation',
  'POST /api/console/step-up/options': 'is the confirmation',
  'POST /api/console/password': PASSWORD,
  'POST /api/console/account/close': PASSWORD,
  'POST /api/console/account/reopen':
    'gives back what was there, and while an account closes nothing can be confirmed',
  'PUT /api/console/profile': 'is only shown',
  'POST /v1/devices': 'the device has no key and gets none later, so it can’t act alone',
  'DELETE /v1/browsers/:id': 'a browser that is forgotten is only asked more',
  'POST /v1/verifications': RECORD,
  'POST /v1/attendance': RECORD,
  'POST /v1/attendance/marks': 'is shown, and never counted',
  'DELETE /v1/attendance/marks/:id': 'is shown, and never counted',
  'POST /v1/attendance/months/:month/close': 'changes no hours, and can be done again',
  'DELETE /v1/attendance/inspections/:id': 'takes access to hours away',
  'POST /v1/attendance/codes': 'only the person’s phone can clock in by it',
  'POST /v1/sites': 'takes access to attendance away, and gives none',
  'PATCH /v1/sites/:siteId': 'changes no hours; what was closed stays as it was',
  'POST /api/console/members/me/link': 'the proof of a phone decides',
  'POST /v1/webhooks/:id/test': 'sends to the address that a confirmed member chose',
  'POST /v1/webhooks/:id/replay': 'sends to the address that a confirmed member chose',
  'POST /v1/identity/verify': PROOF,
  'POST /v1/identity/add': PROOF,
  'POST /v1/identity/rotate': PROOF,
  'POST /v1/attestation/challenges': PROOF,
  'POST /v1/attestation/keys': PROOF,
  'POST /v1/identity/refresh': 'the refresh token decides',
  'POST /v1/identity/logout': 'the session token decides',
  'DELETE /v1/sessions/:id': 'ends a session, and the person proves again',
  'POST /v1/auth/zkp/register': 'stores nothing that signs anybody in',
  'POST /v1/auth/zkp/verify': PROOF,
  'POST /v1/proof-pairing/sessions': 'only the person’s phone can approve it',
  'POST /v1/proof-pairing/sessions/:id/submit': PROOF,
  'POST /v1/proof-pairing/sessions/:id/decline': 'the ticket of the scanned code decides',
  'POST /v1/proof-pairing/sessions/:id/redeem': 'the browser’s cookie and the return code decide',
  'DELETE /v1/proof-pairing/sessions/:id': 'ends a sign-in, which begins again',
  'POST /v1/auth/saml/callback': 'the identity provider’s signature decides',
  'POST /v1/auth/oidc/callback': 'the identity provider’s signature decides',
};
