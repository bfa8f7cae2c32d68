import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';

const ID = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28';
const MEMBER = { id: ID, email: 'grace@example.com', role: 'developer' };
const UNTIL = '2026-05-12T09:35:00.000Z';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const sent = () => server?.requests.map(({ line, body }) => [line, body && JSON.parse(body)]);

it('members are listed, invited, changed and removed', async () => {
  const invitation = { link: 'https://id.example.com/dashboard/join#token', expiresAt: UNTIL };
  server = await hostileServer((socket) =>
    respond(socket, 200, { members: [MEMBER], member: MEMBER, invitation }),
  );
  const { members } = new Svc({ baseUrl: server.url, consoleToken: 'token' }).console;
  expect(await members.list()).toEqual([MEMBER]);
  expect(await members.invite({ email: MEMBER.email, role: 'auditor' })).toMatchObject({ invitation });
  expect(await members.update(ID, { role: 'owner' })).toEqual(MEMBER);
  expect(await members.remove(ID)).toEqual(MEMBER);
  expect(sent()).toEqual([
    ['GET /api/console/members', ''],
    ['POST /api/console/members', { email: MEMBER.email, role: 'auditor' }],
    [`PATCH /api/console/members/${ID}`, { role: 'owner' }],
    [`DELETE /api/console/members/${ID}`, ''],
  ]);
});

it('who joins sends no token but that of the invitation', async () => {
  server = await hostileServer((socket) => respond(socket, 201, { token: 'new', member: MEMBER }));
  const joining = { token: 'invitation', name: 'Grace Hopper', password: 'a long password' };
  const { console } = new Svc({ baseUrl: server.url, consoleToken: 'token' });
  expect(await console.acceptInvitation(joining)).toMatchObject({ token: 'new' });
  expect(sent()).toEqual([['POST /api/console/invitations/accept', joining]]);
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

it('log-ins are listed, ended and confirmed', async () => {
  server = await hostileServer((socket) =>
    respond(socket, 200, { loginSessions: [{ id: ID }], loggedOut: true, until: UNTIL }),
  );
  const { console } = new Svc({ baseUrl: server.url, consoleToken: 'token' });
  expect(await console.loginSessions.list()).toEqual([{ id: ID }]);
  expect(await console.loginSessions.end(ID)).toBeUndefined();
  expect(await console.stepUp('a long password')).toBe(UNTIL);
  expect(sent()).toEqual([
    ['GET /api/console/login-sessions', ''],
    [`DELETE /api/console/login-sessions/${ID}`, ''],
    ['POST /api/console/step-up', { password: 'a long password' }],
  ]);
});
