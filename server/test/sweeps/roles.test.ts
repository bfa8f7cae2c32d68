import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { accessOf, type Route } from '../../src/http/route.js';
import { hasRole, ROLES, type Role } from '../../src/model/roles.js';
import { prepareCensus } from '../support/contract/census.js';
import { exampleOf, isKeyed, isWrite, nameOf, type Stage, send } from '../support/contract/examples.js';
import { addMember } from '../support/members.js';
import { startService } from '../support/service.js';

const routes = routesOf('0.0.0-test').filter((route) => accessOf(route) !== undefined);
const roleOf = (route: Route): Role => accessOf(route)?.role as Role;

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
];
/** Cookies come first, while their log-in is still confirmed, and what ends the account comes last. */
const ENDING = ['POST /api/console/account/reopen', 'POST /api/console/account/close'];
const place = (route: Route) => (isKeyed(route) ? -2 : ENDING.indexOf(nameOf(route)));
const ordered = routes.toSorted((left, right) => place(left) - place(right));

let stage: Stage;
let tokens: Record<Role, string>;

beforeAll(async () => {
  const service = await startService();
  const account = await service.signUp({ plan: 'enterprise' });
  stage = { service, account };
  const [auditor, developer] = [
    await addMember(service, account, 'auditor'),
    await addMember(service, account, 'developer'),
  ];
  tokens = { auditor: auditor.token, developer: developer.token, owner: account.token };
});
afterAll(() => stage.service.close());

/** What a program sends with a console token, or one of our pages with its cookie. */
const as = (route: Route, role: Role) => (isKeyed(route) ? { session: tokens[role] } : { as: tokens[role] });

const below = (role: Role) => ROLES.filter((one) => !hasRole(one, role));

/** How many events the audit log of the account has. */
async function events(): Promise<number> {
  const [row] = await stage.service.db.query<{ n: number }>(
    sql`select count(*)::integer as n from audit_events where tenant_id = ${stage.account.tenantId}`,
  );
  return row?.n ?? 0;
}

describe('a role [members/members]', () => {
  it('of at least developer is needed for every write but those about oneself', () => {
    const writes = routes.filter(isWrite);
    const byAuditors = writes.filter((route) => roleOf(route) === 'auditor').map(nameOf);
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

  it('of an auditor is enough for every route that names it', async () => {
    // The last one ends the log-ins.
    const open = ordered.filter((route) => roleOf(route) === 'auditor');
    const leaves = (route: Route) => nameOf(route) === 'POST /api/console/logout';
    for (const route of open.toSorted((left, right) => Number(leaves(left)) - Number(leaves(right)))) {
      const { status, body, text } = await send(route, stage, as(route, 'auditor'));
      expect(['role_insufficient', 'invalid_console_token'], text).not.toContain(body?.error);
      expect(status, text).not.toBe(500);
    }
    tokens.auditor = (await addMember(stage.service, stage.account, 'auditor')).token;
  });

  const above = ordered.filter((route) => roleOf(route) !== 'auditor');
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
      const reply = await send(route, stage, { ...as(route, role), prepared });
      expect(reply.body?.error, reply.text).not.toBe('role_insufficient');
      expect(reply.status, reply.text).not.toBe(500);
    },
  );
});
