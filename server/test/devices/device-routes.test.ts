import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { takesDevice } from '../../src/http/route.js';
import { isOpen, nameOf, type Stage, send } from '../support/contract/examples.js';
import { deviceToken, enrolWithKey } from '../support/device-keys.js';
import { startService } from '../support/service.js';

const routes = routesOf('0.0.0-test');
let stage: Stage;
let token: string;
beforeAll(async () => {
  const service = await startService();
  const account = await service.signUp({ plan: 'enterprise' });
  stage = { service, account };
  token = await deviceToken(service, await enrolWithKey(service, account));
});
afterAll(() => stage.service.close());

describe('the session of a device [devices/what-a-device-can-do]', () => {
  it('is a credential of these routes alone', () => {
    expect(routes.filter(takesDevice).map(nameOf).sort()).toEqual([
      'DELETE /v1/proof-pairing/sessions/:id',
      'DELETE /v1/registrations/:id',
      'GET /v1/attendance/codes/:codeId/stream',
      'GET /v1/profile',
      'GET /v1/proof-pairing/sessions/:id',
      'GET /v1/proof-pairing/sessions/:id/stream',
      'GET /v1/registrations/:id',
      'GET /v1/registrations/:id/stream',
      'POST /v1/attendance/codes',
      'POST /v1/identity/logout',
      'POST /v1/proof-pairing/sessions',
      'POST /v1/registrations',
    ]);
  });

  // A member begins to act at a desk with its session [reception/staff-at-a-desk].
  const others = routes.filter(
    (route) => !takesDevice(route) && !isOpen(route) && route.auth.kind !== 'device',
  );
  it.each(others.map((route) => [nameOf(route), route] as const))('is none of %s', async (_, route) => {
    const header = await send(route, stage, { as: null, headers: { 'x-api-key': token } });
    const bearer = await send(route, stage, { as: token });
    expect([header.status, bearer.status]).toEqual([401, 401]);
  });

  const own = routes.filter(takesDevice);
  it.each(own.map((route) => [nameOf(route), route] as const))(
    'is not sent in another way, or beside a key, to %s',
    async (_, route) => {
      const header = await send(route, stage, { as: null, headers: { 'x-api-key': token } });
      const both = await send(route, stage, { as: token, headers: { 'x-api-key': stage.account.key } });
      const bad = await send(route, stage, { as: `${token}x` });
      expect([header.body.error, both.body.error, bad.body.error]).toEqual([
        'invalid_api_key',
        'invalid_api_key',
        'device_session_invalid',
      ]);
    },
  );
});
