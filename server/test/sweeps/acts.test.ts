import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { actsOf } from '../../src/http/access.js';
import { accessOf, type CausedAct, type Route, scopesOf, takesDevice } from '../../src/http/route.js';
import { ACT_NAMES, ACTS, type Act, guardOf } from '../../src/model/acts.js';
import { hasRole, type Need, ROLES, type Role } from '../../src/model/roles.js';
import { type ApiScope, DEFAULT_SCOPES, SCOPES } from '../../src/model/scopes.js';
import { ACT_CASES, type ActCase, WITHOUT_ACTS } from '../support/contract/act-cases.js';
import { exampleOf, isKeyed, isWrite, nameOf, type Stage, send } from '../support/contract/examples.js';
import type { Prepared } from '../support/contract/prepared.js';
import { createKeyPair, deviceToken, enrolBody, enrolWithKey, openSession } from '../support/device-keys.js';
import { addMember, giveHours, logInAgain } from '../support/members.js';
import { registerPerson } from '../support/phone.js';
import { eventsSince, headOf, openDesk, openRecovery, runJob } from '../support/recoveries.js';
import { type Reply, type Service, startService } from '../support/service.js';
import { proveRevocation } from '../support/several-phones.js';

// What a member at a desk may do is in reception/staff.test.ts.
const routes = routesOf('0.0.0-test').filter(({ auth }) => auth.kind !== 'staff');
const routeOf = (name: string): Route => routes.find((route) => nameOf(route) === name) as Route;

/** The acts that every request of a route causes. */
const always = ({ acts = [] }: Route): Act[] =>
  acts.filter((caused: CausedAct): caused is Act => typeof caused === 'string');

/** Routes by their own examples, and the cases in which a body or a record decides. */
const cases: ActCase[] = [
  ...routes
    .filter((route) => always(route).length > 0)
    .map((route) => ({ route: nameOf(route), acts: always(route), prepare: exampleOf(route) })),
  ...ACT_CASES,
];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const FIVE_MINUTES = 5 * 60_000;

/** An account of its own, with a member of each role. */
async function newStage() {
  const account = await service.signUp({ plan: 'enterprise' });
  const security_policy = { protect_identities: true };
  await service.call('PATCH', '/api/console/security-policy', {
    as: account.token,
    body: { security_policy },
    headers: {
      'If-Match': String(
        (await service.call('GET', '/api/console/security-policy', { as: account.token })).headers.etag,
      ),
    },
  });
  const members = {
    auditor: await addMember(service, account, 'auditor'),
    reception: await addMember(service, account, 'reception'),
    developer: await addMember(service, account, 'developer'),
    owner: account,
  };
  const { owner: _, ...others } = members;
  await giveHours(
    service,
    account,
    Object.values(others).map(({ id }) => id),
  );
  return { account, members };
}

async function events(tenantId: string): Promise<number> {
  const [row] = await service.db.query<{ n: number }>(
    sql`select count(*)::integer as n from audit_events where tenant_id = ${tenantId} and action <> 'api_key.created'`,
  );
  return row?.n ?? 0;
}

const outcome = ({ status, body }: Reply) => [status, body?.error];

describe('a guarded act [api_key_required] [step_up_required] [console/guarded-acts] [recoveries/who-recovers] [recoveries/ending-a-recovery] [approvals/members-try-approvals]', () => {
  it('is named by every write that causes one: each other one has its reason', () => {
    const silent = routes
      .filter((route) => isWrite(route) && ['key', 'console'].includes(route.auth.kind))
      .filter((route) => actsOf(route).length === 0)
      .map(nameOf);
    expect(silent.sort()).toEqual(Object.keys(WITHOUT_ACTS).sort());
  });

  it('is caused by a route, and each way to cause one has a case', () => {
    const judged = routes.flatMap((route) => actsOf(route).map(({ act }) => `${nameOf(route)} ${act}`));
    const tried = new Set(cases.flatMap(({ route, acts }) => acts.map((act) => `${route} ${act}`)));
    expect(judged.filter((one) => !tried.has(one))).toEqual([]);
    const caused = new Set(routes.flatMap((route) => actsOf(route).map(({ act }) => act)));
    expect(ACT_NAMES.filter((act) => !caused.has(act))).toEqual([]);
  });

  it.each(cases.map((one) => [`${one.route} ${one.acts.join('+')}`, one] as const))(
    'is guarded as its table says: %s',
    async (_, { route: name, acts, prepare, onlyMembers, anotherOf = [] }) => {
      service.clock.advance(60_000);
      const route = routeOf(name);
      const guards = acts.map(guardOf);
      const { account, members } = await newStage();
      const key = guards.some(({ onlyTest }) => onlyTest)
        ? await service.createKey(account, 'test')
        : account.key;
      const environment = key.startsWith('svc_test_') ? 'test' : 'live';
      const stage: Stage = { service, account: { ...account, key } };
      const inEnvironment = (path: string) => (environment === 'test' ? `${path}?environment=test` : path);
      const forMember = async () => {
        const prepared = await prepare(stage);
        return { ...prepared, path: inEnvironment(prepared.path ?? route.path) };
      };

      if (accessOf(route) !== undefined) {
        const needs: Need[] = [...guards, accessOf(route) as { role: Need }].map((one) => one.role);
        const suffices = (one: Role) => needs.every((need) => hasRole(one, need));
        const role = ROLES.find(suffices) as Role;
        // A passkey’s challenge belongs to the member who asked for it.
        const member = acts.includes('change_passkey') ? members.owner : members[role];
        const prepared = await forMember();
        const before = await events(account.tenantId);
        for (const lower of ROLES.filter((one) => !suffices(one) && !anotherOf.includes(one))) {
          const reply = await send(route, stage, { session: members[lower].token, prepared });
          expect(outcome(reply), `${lower} ${reply.text}`).toEqual([403, 'role_insufficient']);
        }
        if (environment === 'test') {
          const live = { ...prepared, path: (prepared.path as string).replace('?environment=test', '') };
          const reply = await send(route, stage, { session: member.token, prepared: live });
          expect(outcome(reply)).toEqual([403, 'api_key_required']);
        }
        service.clock.advance(FIVE_MINUTES + 1);
        const late = await send(route, stage, { session: member.token, prepared });
        expect(outcome(late), late.text).toEqual([403, 'step_up_required']);
        expect(await events(account.tenantId)).toBe(before);
        const fresh = await logInAgain(service, member);
        // Challenges and approvals end while the confirmation does.
        const again = await forMember();
        const done = await send(route, stage, { session: fresh.token, prepared: again });
        expect(done.status, done.text).toBeLessThan(300);
        await tryTokens(route, stage, member.token, forMember);
      }
      if (isKeyed(route) && !onlyMembers) await tryKeys(route, acts, stage, environment, prepare);
    },
  );

  /** The token of a program needs no confirmation on the dashboard's routes, and opens no other. */
  async function tryTokens(route: Route, stage: Stage, token: string, prepare: () => Promise<Prepared>) {
    const prepared = await prepare();
    const reply = await send(route, stage, { as: token, prepared });
    if (isKeyed(route)) expect(outcome(reply), reply.text).toEqual([401, 'invalid_api_key']);
    else expect(reply.status, reply.text).toBeLessThan(300);
  }

  /** Keys need the scope of the route and those of the acts. The session of a device does none of them. */
  async function tryKeys(
    route: Route,
    acts: readonly Act[],
    stage: Stage,
    environment: 'live' | 'test',
    prepare: ActCase['prepare'],
  ) {
    const { account } = stage;
    const needed = acts.map((act) => ACTS[act].scope).filter((scope) => scope !== null) as ApiScope[];
    const prepared = await prepare(stage);
    const before = await events(account.tenantId);
    for (const missing of new Set(needed)) {
      const others = SCOPES.filter((scope) => scope !== missing);
      const as = await service.createKey(account, environment, others);
      const reply = await send(route, stage, { as, prepared });
      expect(outcome(reply), `${missing} ${reply.text}`).toEqual([403, 'insufficient_scopes']);
    }
    expect(await events(account.tenantId)).toBe(before);
    if (takesDevice(route)) {
      const as = await deviceToken(service, await enrolWithKey(service, account));
      const reply = await send(route, stage, { as, prepared });
      // 400: a device has no field for it.
      expect([400, 403, 404], reply.text).toContain(reply.status);
    }
    const as = await service.createKey(account, environment, [...new Set([...scopesOf(route), ...needed])]);
    const done = await send(route, stage, { as, prepared });
    expect(done.status, done.text).toBeLessThan(300);
  }

  it('is named where a proof causes it: a phone that revokes the identity of a recovery ends it [users/readmitting]', async () => {
    const desk = await openDesk(service);
    const person = await registerPerson(service, desk.clerk);
    const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const { tenantId } = desk;
    const before = await headOf(service, desk);
    const proof = await proveRevocation(service, person, c.identity.did, { tenantId });
    const body = { tenantId, environment: 'live', revoke: c.identity.did, ...proof };
    expect((await service.call('POST', '/v1/phone/identity/revoke', { body })).status).toBe(200);
    await runJob(service);
    const actions = (await eventsSince(service, desk, before)).map(({ action }) => action);
    expect(actions).toContain('identity.recovery_cancelled');
    expect(routeOf('POST /v1/phone/identity/revoke').acts).toContainEqual({
      act: 'end_recovery',
      by: 'proof',
    });
  });

  it('is not to create a device with a key: no code, no key and no session can follow [POST /v1/devices]', async () => {
    const account = await service.signUp();
    const made = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
    const { id } = made.body.device;
    const code = await service.call('POST', `/api/console/devices/${id}/regenerate-code`, {
      as: account.token,
    });
    expect(outcome(code)).toEqual([409, 'device_not_pending']);
    const pair = createKeyPair();
    const body = { ...enrolBody('A'.repeat(32), pair), device_id: id };
    expect(outcome(await service.call('POST', '/v1/devices/enroll', { body }))).toEqual([
      404,
      'enrollment_failed',
    ]);
    const device = { ...pair, id, tenantId: account.tenantId, environment: 'live' as const };
    expect(outcome(await openSession(service, device))).toEqual([401, 'device_signature_invalid']);
  });

  it('needs no default scope but those of the contract [users:claims]', () => {
    const scopes = ACT_NAMES.map((act) => guardOf(act).scope).filter((scope) => scope !== null);
    const byDefault = scopes.filter((scope) => DEFAULT_SCOPES.includes(scope));
    expect([...new Set(byDefault)].sort()).toEqual([
      'attendance:write',
      'devices:write',
      'users:write',
      'zkp:register',
    ]);
  });
});
