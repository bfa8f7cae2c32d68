import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/model/scopes.js';
import { type Account, type Service, startService, zk } from '../support/service.js';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp();
});
afterAll(() => service.close());

const get = (path: string, as?: string) => service.call('GET', path, { ...(as !== undefined && { as }) });

describe('health', () => {
  it('tells which share of the accounts a lost machine of the database affects, and stays ready [service/standby-and-cluster]', async () => {
    const spread = { machines: 3, lost: 1, affectedAccounts: 0.25 };
    const machines = { db: service.db, status: () => spread, probe: async () => {} };
    const node = await startService({ machines });
    const { status, body } = await node.call('GET', '/api/health');
    expect([status, body.status, body.database]).toEqual([200, 'degraded', true]);
    expect(body.subsystems.database).toMatchObject({ status: 'degraded', spread });
    expect((await node.call('GET', '/api/health/ready')).status).toBe(200);
    await node.close();
  });

  it('reports the state of each subsystem without a credential [GET /api/health] [GET /api/health/live] [GET /api/health/ready]', async () => {
    service.clock.advance(90_500);
    const { status, body } = await get('/api/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      version: '0.0.0-test',
      uptimeSeconds: 90,
      database: true,
      blockchain: false,
      subsystems: {
        database: { status: 'ok' },
        replica: { status: 'not_configured' },
        blockchain: { status: 'not_configured' },
        zkp: {
          status: 'ok',
          circuit: 'identity_proof',
          circuitVersion: '1.2',
          zk_kernel: expect.stringMatching(/^(fma|scalar)$/),
        },
        poseidon: { status: 'ok' },
      },
    });
    expect((await get('/api/health/live')).status).toBe(200);
    expect((await get('/api/health/ready')).status).toBe(200);
  });
});

describe('an error response', () => {
  it('links to its page by an absolute URL when BASE_URL is set, wherever the error occurs', async () => {
    const named = await startService({ env: { BASE_URL: 'https://id.example.com' } });
    const page = (code: string) => `https://id.example.com/docs/errors#${code}`;
    for (const [path, code] of [
      ['/v1/nothing', 'not_found'],
      ['/v1/%zz', 'not_found'],
      ['/v1/devices', 'missing_api_key'],
    ] as const)
      expect((await named.call('GET', path)).body.docs).toBe(page(code));
    await named.close();
    expect((await get('/v1/nothing')).body.docs).toBe('/docs/errors#not_found');
  });

  it('suggests the closest path for an unknown one, and never repeats the request', async () => {
    expect((await get('/v1/device')).body.message).toBe('No such endpoint. Did you mean /v1/devices?');
    for (const path of ['/v1/nothing', '/v1/device%3Cscript%3E', '/api/lead'])
      expect((await get(path)).body.message).toBe('No such endpoint.');
  });

  it('is the same for a disabled operator endpoint as for an unknown path', async () => {
    const closed = await startService({ env: { ADMIN_API_KEY: '' } });
    const errorOf = async (method: string, path: string) => {
      const { status, body, headers } = await closed.call(method, path);
      return { status, error: body.error, message: body.message, allow: headers.allow };
    };
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await errorOf(method, '/api/admin/stats')).toEqual(await errorOf(method, '/api/admin/nothing'));
    await closed.close();
  });
});

describe('the nonce endpoint', () => {
  it('returns a new UUID v4, the time in milliseconds, the tenant and the environment [limit: ZKP nonce lifetime] [GET /v1/auth/zkp/nonce]', async () => {
    const nonces = new Set<string>();
    for (const [as, environment] of [
      [account.key, 'live'],
      [account.key, 'live'],
      [await service.createKey(account, 'test'), 'test'],
    ] as const) {
      const { body } = await get('/v1/auth/zkp/nonce', as);
      expect(body).toEqual({
        nonce: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        timestamp: service.clock.now(),
        expiresIn: 300,
        tenantId: account.tenantId,
        environment,
      });
      nonces.add(body.nonce);
    }
    expect(nonces.size).toBe(3);
  });
});

describe('circuit-info', () => {
  it('describes the circuit and its key, and links to files that match its hashes [sessions/unbound-sessions] [proofs/circuit-files] [GET /v1/auth/zkp/circuit-info] [GET /zk/identity_proof-1.2/identity_proof.wasm] [GET /zk/identity_proof-1.2/identity_proof.zkey] [GET /zk/identity_proof-1.2/identity_proof.vkey.json]', async () => {
    const { body } = await get('/v1/auth/zkp/circuit-info', account.key);
    expect(body).toMatchObject({
      circuit: 'identity_proof',
      circuitVersion: '1.2',
      protocol: 'groth16',
      curve: 'bn128',
      expectedVkeyHash: zk.sha256,
      vkeyAvailable: true,
      verifyOnChain: false,
      publicInputs: ['commitment', 'didHash', 'identityBinding'],
      privateInputs: ['biometricSecret', 'salt'],
      tenantId: account.tenantId,
      environment: 'live',
    });
    for (const [path, type] of [
      [body.wasmPath, 'application/wasm'],
      [body.zkeyPath, 'application/octet-stream'],
      [body.vkeyPath, 'application/json'],
    ]) {
      expect(path).toMatch(/^\/zk\/identity_proof-1\.2\/identity_proof\.[a-z.]+\?v=[0-9a-f]{16}$/);
      const file = await service.app.http.inject({ method: 'GET', url: path });
      expect(file.statusCode).toBe(200);
      expect(String(file.headers['content-type']).split(';')[0]).toBe(type);
      expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      const sha256 = createHash('sha256').update(file.rawPayload).digest('hex');
      expect(path.endsWith(sha256.slice(0, 16))).toBe(true);
      if (path === body.vkeyPath) expect(sha256).toBe(body.expectedVkeyHash);
    }
  });
});

describe('the account', () => {
  it.each([
    ['free', 1_000, 100, false],
    ['starter', 25_000, 500, false],
    ['growth', 250_000, 2_000, true],
    ['enterprise', null, 10_000, true],
  ] as const)(
    'on the %s plan returns that plan’s limits [GET /api/console/account]',
    async (plan, monthly, window, onChain) => {
      const own = await service.signUp({ plan, companyName: 'Muster AG' });
      expect((await get('/api/console/account', own.token)).body).toEqual({
        tenant: {
          id: own.tenantId,
          email: own.email,
          companyName: 'Muster AG',
          plan,
          status: 'active',
          createdAt: new Date(service.clock.now()).toISOString(),
          closesAt: null,
        },
        limits: {
          monthlyRequests: monthly,
          requestsPer15Min: window,
          onChainVerification: onChain,
          activeApiKeys: 10,
        },
      });
      const { currentMonth } = (await get('/api/console/usage', own.token)).body;
      expect(currentMonth).toEqual({ used: 0, limit: monthly, remaining: monthly });
    },
  );
});

describe('the scopes', () => {
  it('are the nineteen of the contract, and those for events, webhooks, recoveries, erasures, approvals and working time', () => {
    expect(SCOPES).toEqual([
      'devices:read',
      'devices:write',
      'users:read',
      'users:write',
      'verifications:read',
      'verifications:write',
      'attendance:read',
      'attendance:write',
      'audit:read',
      'zkp:register',
      'zkp:verify',
      'nonce:create',
      'saml:login',
      'saml:callback',
      'oidc:authorize',
      'oidc:callback',
      'identity:read',
      'proof_pairing:create',
      'proof_pairing:claim',
      'events:read',
      'webhooks:write',
      'users:recover',
      'users:erase',
      'users:claims',
      'approvals:read',
      'approvals:write',
      'approvals:consume',
      'sites:read',
      'sites:write',
      'attendance:codes',
    ]);
  });
});
