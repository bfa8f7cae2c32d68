import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { exampleOf, nameOf, type Stage, send } from '../support/contract/examples.js';
import { startService } from '../support/service.js';

/** One of each kind. All bodies are closed, which the document's tests check. */
const NAMES = [
  'POST /v1/users',
  'PATCH /v1/devices/:deviceId',
  'POST /api/console/keys',
  'POST /api/console/signup',
];
const writes = routesOf('0.0.0-test').filter((route) => NAMES.includes(nameOf(route)));
let stage: Stage;
beforeAll(async () => {
  const service = await startService();
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
});
afterAll(() => stage.service.close());

describe('a write', () => {
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
