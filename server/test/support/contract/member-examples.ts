import { Authenticator } from '../authenticator.js';
import { addMember, invite } from '../members.js';
import { addPasskey, signInOptions } from '../passkeys.js';
import { insertLink } from '../password-resets.js';
import { freshAddress } from '../service.js';
import type { Prepared, Stage } from './prepared.js';

const oneMember = async ({ service, account }: Stage): Promise<string> =>
  (await addMember(service, account, 'developer')).id;

export const MEMBER_EXAMPLES: Readonly<Record<string, (stage: Stage) => Promise<Prepared>>> = {
  'POST /api/console/members': async () => ({
    body: { email: `${crypto.randomUUID()}@example.com`, role: 'auditor' },
  }),
  'PATCH /api/console/members/:memberId': async (stage) => ({
    path: `/api/console/members/${await oneMember(stage)}`,
    body: { role: 'auditor' },
  }),
  'DELETE /api/console/members/:memberId': async (stage) => ({
    path: `/api/console/members/${await oneMember(stage)}`,
  }),
  'POST /api/console/invitations/accept': async ({ service, account }) => {
    const { token } = await invite(service, account, 'developer');
    return { body: { token, name: 'Grace Hopper', password: 'correct horse 42 battery' } };
  },
  'PATCH /api/console/security-policy': async ({ service, account: { token: as } }) => {
    const { headers } = await service.call('GET', '/api/console/security-policy', { as });
    return {
      headers: { 'If-Match': String(headers.etag) },
      body: { security_policy: { max_identities: 4 } },
    };
  },
  'POST /api/console/password/forgot': async ({ account: { email } }) => ({ body: { email } }),
  'POST /api/console/password/reset': async ({ service, account }) => ({
    body: { token: await insertLink(service, account.tenantId), newPassword: account.password },
  }),
  'POST /api/console/invitations/options': async ({ service, account }) => ({
    body: { token: (await invite(service, account, 'developer')).token },
  }),
  'POST /api/console/passkeys': async ({ service, account: { token: as } }) => {
    const { body } = await service.call('POST', '/api/console/passkeys/options', { as });
    return { body: { credential: new Authenticator().create(body.options), name: 'Laptop' } };
  },
  'DELETE /api/console/passkeys/:passkeyId': async ({ service, account }) => {
    const { body } = await addPasskey(service, account.token, new Authenticator());
    return { path: `/api/console/passkeys/${body.passkey.id}` };
  },
  'POST /api/console/session/passkey': async ({ service, account }) => {
    const authenticator = new Authenticator();
    await addPasskey(service, account.token, authenticator);
    return { body: { credential: authenticator.get(await signInOptions(service)) } };
  },
  'POST /api/console/step-up': async ({ account: { password } }) => ({ body: { password } }),
  'DELETE /api/console/login-sessions/:loginSessionId': async ({ service, account }) => {
    const { email, password, token: as } = account;
    const body = { email, password };
    await service.call('POST', '/api/console/login', { body, address: freshAddress() });
    const { body: listed } = await service.call('GET', '/api/console/login-sessions', { as });
    const other = listed.loginSessions.find(({ current }: { current: boolean }) => !current);
    return { path: `/api/console/login-sessions/${other.id}` };
  },
};
