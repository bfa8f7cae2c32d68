import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { accessOf, type Route, takesSession } from '../../src/http/route.js';
import { hasRole, type Need, ROLES, type Role } from '../../src/model/roles.js';
import { prepareCensus } from '../support/contract/census.js';
import { exampleOf, isKeyed, isWrite, nameOf, type Stage, send } from '../support/contract/examples.js';
import { addMember, giveHours } from '../support/members.js';
import { startService } from '../support/service.js';

const routes = routesOf('0.0.0-test').filter((route) => accessOf(route) !== undefined);
const roleOf = (route: Route): Need => accessOf(route)?.role as Need;

/** Writes about nobody but the member who asks. */
const OWN = [
  'POST /api/console/logout',
  'POST /api/console/password',
  'POST /api/console/step-up',
  'DELETE /api/console/login-sessions/:loginSessionId',
  'POST /api/console/passkeys',
  'DELETE /api/console/passkeys/:passkeyId',
  // A challenge, which changes nothing until an authenticator answers it.
  'POST /api/console/passkeys/options',
  'POST /api/console/step-up/options',
  'POST /api/console/members/me/link',
];
/** What a member with the role `reception` may do [reception/what-reception-may]. Everything else returns 403. */
const RECEPTION = [
  ...OWN,
  'GET /api/console/account',
  'GET /api/console/login-sessions',
  'GET /api/console/passkeys',
  'GET /api/console/profile',
  // Only what they did themselves.
  'GET /api/console/audit',
  'GET /v1/users',
  'GET /v1/users/:userId',
  'GET /v1/users/:userId/identities',
  'POST /v1/users',
  'PATCH /v1/users/:userId',
  'POST /api/console/users/:userId/confirm-name',
  'GET /v1/registrations',
  'GET /v1/registrations/:id',
  'GET /v1/registrations/:id/stream',
  'POST /v1/registrations',
  'DELETE /v1/registrations/:id',
  'GET /v1/recoveries',
  'POST /v1/identity/revoke',
  'GET /v1/attendance/presence',
  'GET /v1/sites',
  'GET /v1/sites/:siteId',
  'GET /v1/sites/:siteId/presence',
  'GET /api/console/open-now',
  'GET /api/console/devices',
  'GET /v1/devices',
  'GET /v1/devices/:deviceId',
];
/** Cookies come first, while their log-in is still confirmed, and what ends the account comes last. */
const ENDING = ['POST /api/console/account/reopen', 'POST /api/console/account/close'];
const place = (route: Route) => (isKeyed(route) ? -2 : ENDING.indexOf(nameOf(route)));
const ordered = routes.toSorted((left, right) => place(left) - place(right));

let stage: Stage;
let tokens: Record<Role, string>;

/** A new member, also with the right over hours, which no role has. */
async function tokenOf(role: Role): Promise<string> {
  const { service, account } = stage;
  const member = await addMember(service, account, role);
  await giveHours(service, account, [member.id]);
  return member.token;
}

beforeAll(async () => {
  // Every role calls every route.
  const service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '10' } });
  const account = await service.signUp({ plan: 'enterprise' });
  stage = { service, account };
  tokens = {
    auditor: await tokenOf('auditor'),
    reception: await tokenOf('reception'),
    developer: await tokenOf('developer'),
    owner: account.token,
  };
});
afterAll(() => stage.service.close());

/** What a program sends with a console token, or one of our pages with its cookie. */
const as = (route: Route, role: Role) => (isKeyed(route) ? { session: tokens[role] } : { as: tokens[role] });

const below = (role: Need) => ROLES.filter((one) => !hasRole(one, role));

/** How many events the audit log of the account has. */
async function events(): Promise<number> {
  const [row] = await stage.service.db.query<{ n: number }>(
    sql`select count(*)::integer as n from audit_events where tenant_id = ${stage.account.tenantId}`,
  );
  return row?.n ?? 0;
}

describe('a role [members/members]', () => {
  it('that may change something is needed for every write but those about oneself', () => {
    const writes = routes.filter((route) => isWrite(route) && accessOf(route)?.right === undefined);
    const byAuditors = writes.filter((route) => hasRole('auditor', roleOf(route))).map(nameOf);
    expect(byAuditors.sort()).toEqual([...OWN].sort());
  });

  it('is named by every route of the dashboard, except those that nobody is logged in for', () => {
    const inConsole = routesOf('0.0.0-test').filter(({ path }) => path.startsWith('/api/console/'));
    const without = inConsole.filter((route) => accessOf(route) === undefined);
    expect(without.map(({ auth }) => auth.kind)).toEqual(without.map(() => 'none'));
  });

  it('that is too low writes nothing in any table', async () => {
    // The limits of the account are those of a minute.
    stage.service.clock.advance(60_000);
    const census = await prepareCensus(stage.service.db);
    const before = await census();
    for (const route of routes)
      for (const lower of below(roleOf(route))) {
        const { status, body } = await send(route, stage, as(route, lower));
        expect([status, body.error], `${nameOf(route)} ${lower}`).toEqual([403, 'role_insufficient']);
      }
    expect(await census()).toEqual(before);
  });

  it('of reception is enough for its list and nothing else [reception/what-reception-may]', () => {
    const may = routes
      .filter((route) => hasRole('reception', roleOf(route)) && accessOf(route)?.right === undefined)
      .map(nameOf);
    expect(may.sort()).toEqual([...RECEPTION].sort());
  });

  it('of reception opens nothing in test [reception/what-reception-may]', async () => {
    const { service } = stage;
    const account = await service.signUp({ plan: 'enterprise' });
    const [reception, auditor] = [
      (await addMember(service, account, 'reception')).token,
      (await addMember(service, account, 'auditor')).token,
    ];
    for (const route of routes.filter(takesSession)) {
      const path = `${route.path.replace(/:\w+/g, crypto.randomUUID())}?environment=test`;
      const { status, body } = await send(route, stage, { session: reception, prepared: { path } });
      expect([status, body.error], nameOf(route)).toEqual([403, 'role_insufficient']);
    }
    const query = '/api/console/devices?environment=test';
    expect((await service.call('GET', query, { as: reception })).status).toBe(403);
    expect((await service.call('GET', query, { as: auditor })).status).toBe(200);
  });

  it.each(['auditor', 'reception'] as const)(
    'of %s is enough for every route that admits it',
    async (role) => {
      // The last one ends the log-ins.
      const open = ordered.filter((route) => hasRole(role, roleOf(route)));
      const leaves = (route: Route) => nameOf(route) === 'POST /api/console/logout';
      for (const route of open.toSorted((left, right) => Number(leaves(left)) - Number(leaves(right)))) {
        const { status, body, text } = await send(route, stage, as(route, role));
        expect(['role_insufficient', 'invalid_console_token'], text).not.toContain(body?.error);
        expect(status, text).not.toBe(500);
      }
      tokens[role] = await tokenOf(role);
    },
  );

  const above = ordered.filter((route) => roleOf(route) !== 'member');
  it.each(above.map((route) => [nameOf(route), roleOf(route), route] as const))(
    'below the one of %s, %s, is not enough for a request that is valid, and this one is [role_insufficient]',
    async (_, role, route) => {
      // Each request counts, and so do those of the examples.
      stage.service.clock.advance(5_000);
      const prepared = await exampleOf(route)(stage);
      const before = await events();
      for (const lower of below(role)) {
        const refused = await send(route, stage, { ...as(route, lower), prepared });
        expect([refused.status, refused.body.error], lower).toEqual([403, 'role_insufficient']);
        expect(refused.body.message).toContain(`the role ${role}, and yours is ${lower}`);
      }
      expect(await events()).toBe(before);
      const enough = ROLES.find((one) => hasRole(one, role)) as Role;
      const reply = await send(route, stage, { ...as(route, enough), prepared });
      expect(reply.body?.error, reply.text).not.toBe('role_insufficient');
      expect(reply.status, reply.text).not.toBe(500);
    },
  );
});
