// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { successStatus } from '../../src/http/route.js';
import { type Census, prepareCensus } from '../support/contract/census.js';
import {
  exampleOf,
  isKeyed,
  isOpen,
  isWrite,
  nameOf,
  type Stage,
  send,
} from '../support/contract/examples.js';
import { ADMIN_KEY, startService } from '../support/service.js';

/**
 * A lead has no account and so no audit chain: nothing is audited (server/test/accounts/leads.test.ts). Logging out one browser
 * only deletes its cookie [D12.54]. A test of a webhook is an attempt, and attempts are no events [D12.65]. A cancelled sign-in changes
 * no record.
 */
const UNCHAINED = [
  'POST /api/leads/pilot',
  'POST /api/leads/whitepaper',
  'DELETE /api/console/session',
  'POST /v1/webhooks/:id/test',
  'POST /api/console/webhooks/:id/test',
  'POST /sign-in/:uid/cancel',
];
/** Those of the OpenID Provider's library have their own tests, in server/test/oidc/. */
const writes = routesOf('0.0.0-test').filter((route) => isWrite(route) && !route.raw);
const chained = writes.filter((route) => !UNCHAINED.includes(nameOf(route)));
let stage: Stage;
let rows: () => Promise<Census>;

beforeAll(async () => {
  const service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  rows = await prepareCensus(service.db);
});
afterAll(() => stage.service.close());

const freshStage = async () => ({
  service: stage.service,
  account: await stage.service.signUp({ plan: 'enterprise' }),
});

const auditRows = async () =>
  (await stage.service.db.query<{ n: number }>(sql`select count(*) as n from audit_events`))[0]!.n;

describe('a write', () => {
  it.each(chained.map((route) => [nameOf(route), route] as const))(
    '%s writes an audit event, and the audit chains stay intact',
    async (_, route) => {
      const own = route.auth.kind === 'key' ? stage : await freshStage();
      const prepared = await exampleOf(route)(own);
      const before = await auditRows();
      const reply = await send(route, own, { prepared });
      expect(reply.status, reply.text).toBe(successStatus(route));
      expect(await auditRows()).toBeGreaterThan(before);
      for (const tenantId of [own.account.tenantId, reply.body.tenant?.id].filter(Boolean)) {
        const integrity = await stage.service.call('GET', `/api/admin/audit-integrity?tenantId=${tenantId}`, {
          headers: { 'x-api-key': ADMIN_KEY },
        });
        expect(integrity.body).toMatchObject({ status: 'pass', partial: false });
        expect(integrity.body.chains).toHaveLength(2);
      }
    },
  );

  it.each(writes.map((route) => [nameOf(route), route] as const))(
    '%s writes no row when it is rejected',
    async (_, route) => {
      const { service, account } = stage;
      const prepared = await exampleOf(route)(stage);
      const scopes = ['oidc:authorize'] as const;
      const bare = isKeyed(route)
        ? await service.createKey(await service.signUp(), 'live', scopes)
        : undefined;
      const before = await rows();
      const rejected = [
        ...(isOpen(route) ? [] : [await send(route, stage, { prepared, as: null })]),
        ...(bare ? [await send(route, stage, { prepared, as: bare })] : []),
        await send(route, stage, { prepared, body: { ...prepared.body, no_such_field: 1 } }),
        await send(route, stage, { prepared, body: { ...prepared.body, irisCode: 'AAAA' } }),
        await send(route, stage, { prepared, body: [] }),
        await send(route, stage, { prepared, raw: '{"a":', headers: { 'content-type': 'application/json' } }),
        await send(route, stage, { prepared, raw: '<a/>', headers: { 'content-type': 'text/xml' } }),
        await service.call(route.method, `${prepared.path ?? route.path}?no_such_field=1`, {
          as: route.auth.kind === 'console' ? account.token : account.key,
          body: prepared.body ?? {},
        }),
      ];
      for (const reply of rejected) expect([400, 401, 403, 415], reply.text).toContain(reply.status);
      expect(await rows()).toEqual(before);
    },
  );

  it('rejects every field that only the server may set', async () => {
    const { service, account } = stage;
    const forced = {
      id: crypto.randomUUID(),
      tenantId: crypto.randomUUID(),
      tenant_id: crypto.randomUUID(),
      environment: 'test',
      plan: 'enterprise',
      status: 'active',
      enrollment_state: 'revoked',
      fingerprint: 'ff'.repeat(16),
      createdAt: '2020-01-01T00:00:00.000Z',
      token_version: 7,
    };
    for (const route of writes) {
      const prepared = await exampleOf(route)(stage);
      for (const [name, value] of Object.entries(forced)) {
        if (JSON.stringify(route.schemas?.body ?? {}).includes(`"${name}"`)) continue;
        const reply = await send(
          route,
          { service, account },
          { prepared, body: { ...prepared.body, [name]: value } },
        );
        expect(reply.status, `${nameOf(route)} ${name}`).toBe(400);
        expect(reply.body.details).toContainEqual({ path: `body.${name}`, message: 'is not a known field' });
      }
    }
  });
});
