import { randomUUID } from 'node:crypto';
import { didHash, field248OfBytes } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { poseidon2 } from '@svc/zk/poseidon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { nameOf, type Stage, succeed } from '../support/contract/examples.js';
import { proveAnonymously, proveFor, registerPerson } from '../support/phone.js';
import { countVerifications } from '../support/proofs.js';
import {
  type Account,
  ADMIN_KEY,
  freshAddress,
  type Service,
  sharedVerifier,
  startService,
} from '../support/service.js';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const hex = (value: bigint) => value.toString(16).padStart(64, '0');
const register = (biometricTemplate: unknown, path = '/v1/auth/zkp/register') =>
  service.call('POST', path, { as: account.key, body: { biometricTemplate }, address: freshAddress() });
const verify = (body: object, as = account.key) => service.call('POST', '/v1/auth/zkp/verify', { as, body });

describe('deprecated endpoints', () => {
  const deprecated = routesOf('0.0.0-test').filter((route) => route.successor !== undefined);

  it('are two of the tenant API, four former paths of phones and the thirteen of the legacy surface [http/deprecated-endpoints]', () => {
    expect(deprecated.map(nameOf).sort()).toEqual([
      'GET /api/auth/me',
      'GET /api/auth/oidc/.well-known/openid-configuration',
      'GET /api/auth/oidc/authorize',
      'GET /api/auth/saml/login',
      'GET /api/auth/saml/metadata',
      'GET /api/auth/zkp/circuit-info',
      'GET /api/auth/zkp/nonce',
      'POST /api/auth/logout',
      'POST /api/auth/oidc/callback',
      'POST /api/auth/refresh',
      'POST /api/auth/saml/callback',
      'POST /api/auth/zkp/register',
      'POST /api/auth/zkp/verify',
      'POST /v1/auth/zkp/register',
      'POST /v1/auth/zkp/verify',
      'POST /v1/phone/attestation/challenges',
      'POST /v1/phone/attestation/keys',
      'POST /v1/phone/identity/add',
      'POST /v1/phone/identity/rotate',
    ]);
  });

  it.each(deprecated.map((route) => [nameOf(route), route] as const))(
    '%s works, links to its successor, and has no Sunset header',
    async (_, route) => {
      const stage: Stage = { service, account };
      const rejected = await service.call(route.method, `${route.path}?no_such_field=1`, {
        address: freshAddress(),
      });
      for (const reply of [await succeed(route, stage), rejected]) {
        expect(reply.headers.deprecation).toBe('@1778544000');
        expect(reply.headers.link).toBe(`<${route.successor}>; rel="successor-version"`);
        expect(reply.headers).not.toHaveProperty('sunset');
      }
      expect(rejected.status).toBeGreaterThanOrEqual(400);
      const paths = (await service.call('GET', '/openapi.json?surface=all')).body.paths;
      expect(paths[route.path][route.method.toLowerCase()].deprecated).toBe(true);
      expect(paths[route.successor as string]).toBeDefined();
    },
  );

  it('send a Sunset header when the operator sets SUNSET_DATE', async () => {
    const other = await startService({ env: { SUNSET_DATE: '2027-06-30' } });
    try {
      const reply = await other.call('GET', '/api/auth/zkp/nonce');
      expect(reply.headers.sunset).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
      expect((await other.call('GET', '/api/health')).headers).not.toHaveProperty('sunset');
    } finally {
      await other.close();
    }
  });
});

describe('registration by template', () => {
  it('derives a new identity each time, which can be registered and verified like any other [proofs/templates]', async () => {
    const template = Buffer.from('a minutiae list of some scanner');
    const first = await register(template.toString('base64'));
    expect(first.status).toBe(201);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.body).toEqual({
      did: expect.stringMatching(/^did:svc:[0-9a-f]{64}$/),
      commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
      didHash: hex(didHash(first.body.did)),
      biometricSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
      salt: expect.stringMatching(/^00[0-9a-f]{62}$/),
      txHash: null,
      blockNumber: null,
      dataStored: false,
      message: expect.any(String),
    });
    const salt = BigInt(`0x${first.body.salt}`);
    const salted = Buffer.concat([Buffer.from(first.body.salt.slice(2), 'hex'), template]);
    expect(first.body.biometricSecret).toBe(hex(field248OfBytes(salted)));
    const biometricSecret = BigInt(`0x${first.body.biometricSecret}`);
    expect(first.body.commitment).toBe(hex(poseidon2(biometricSecret, salt)));

    const second = await register(template.toString('base64'));
    for (const name of ['did', 'commitment', 'biometricSecret', 'salt'])
      expect(second.body[name]).not.toBe(first.body[name]);

    const body = { did: first.body.did, commitment: first.body.commitment };
    const registered = await service.call('POST', '/v1/identity/register', { as: account.key, body });
    expect(registered.status, registered.text).toBe(201);
    const identity = { ...body, biometricSecret, salt };
    const proof = await proveFor(service, identity, { tenantId: account.tenantId });
    expect((await service.call('POST', '/v1/identity/verify', { as: account.key, body: proof })).status).toBe(
      200,
    );
  });

  it('accepts only padded base64 of 1 byte to 48 KiB', async () => {
    const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
    expect((await register(base64(1))).status).toBe(201);
    expect((await register(base64(48 * 1024))).status).toBe(201);
    const bad = [
      '',
      base64(48 * 1024 + 1),
      'AAA',
      'AAAA=',
      'AB==',
      'A-_A',
      'AA AA',
      'AAAA\n',
      7,
      null,
      [],
      {},
    ];
    for (const template of bad) {
      const reply = await register(template);
      expect([reply.status, reply.body.error], String(template).slice(0, 20)).toEqual([
        400,
        'invalid_request',
      ]);
    }
    const tooLarge = await register('A'.repeat(70_000));
    expect([tooLarge.status, tooLarge.body.error]).toEqual([413, 'payload_too_large']);
  });

  it('accepts a template only as a top-level biometricTemplate', async () => {
    const good = { biometricTemplate: 'AAAA' };
    for (const body of [
      { ...good, faceImage: 'AAAA' },
      { biometric_template: 'AAAA' },
      { BiometricTemplate: 'AAAA' },
      { ...good, metadata: { biometricTemplate: 'AAAA' } },
    ]) {
      const reply = await service.call('POST', '/v1/auth/zkp/register', { as: account.key, body });
      expect([reply.status, reply.body.error]).toEqual([400, 'biometric_data_rejected']);
    }
    const elsewhere = await service.call('POST', '/v1/auth/zkp/verify', { as: account.key, body: good });
    expect(elsewhere.body.error).toBe('biometric_data_rejected');
  });

  it('appends an audit event, and never stores or logs the template, the secrets or the commitment [proofs/templates]', async () => {
    const template = Buffer.from('needle of a template').toString('base64');
    const { body } = await register(template);
    const tables = await service.db.query<{ name: string }>(sql`select table_name as name
      from information_schema.tables where table_schema = 'public'`);
    for (const { name } of tables) {
      const text = `select coalesce(string_agg(t::text, ' '), '') as rows from ${name} t`;
      const [{ rows }] = (await service.db.query<{ rows: string }>({ text, values: [] })) as [
        { rows: string },
      ];
      for (const needle of [template, body.biometricSecret, body.salt, body.commitment, body.did])
        expect(rows, name).not.toContain(needle);
    }
    const lines = service.logged.join('\n');
    for (const needle of [template, body.biometricSecret, body.commitment])
      expect(lines).not.toContain(needle);
    const audit = await service.call('GET', '/v1/audit?action=zkp.register&limit=1', { as: account.key });
    expect(audit.body.audit[0]).toMatchObject({ entityType: 'template', entityId: null, metadata: {} });
  });

  it.each(['/v1/auth/zkp/register', '/api/auth/zkp/register'])(
    '%s returns 403 template_register_disabled in production before reading the body, unless the operator enables it',
    async (path) => {
      const env = { NODE_ENV: 'production', SVC_SECRET: 's'.repeat(32) };
      for (const enabled of [undefined, 'false', 'true']) {
        const own = enabled === undefined ? env : { ...env, ENABLE_TEMPLATE_REGISTER: enabled };
        const production = await startService({ env: own });
        try {
          const tenant = await production.signUp();
          const send = (raw: string) =>
            production.call('POST', path, {
              as: tenant.key,
              raw,
              headers: { 'content-type': 'application/json' },
            });
          const good = await send('{"biometricTemplate":"AAAA"}');
          const bad = await send('{"biometricTemplate":');
          const off = [403, 'template_register_disabled'];
          expect([good.status, good.body.error]).toEqual(enabled === 'true' ? [201, undefined] : off);
          expect([bad.status, bad.body.error]).toEqual(enabled === 'true' ? [400, 'invalid_request'] : off);
          const report = await production.call('GET', '/api/admin/privacy-audit', {
            headers: { 'x-api-key': ADMIN_KEY },
          });
          const check = report.body.checks.find(
            (item: { name: string }) => item.name === 'template_register',
          );
          expect(check.detail).toMatch(enabled === 'true' ? /takes templates/ : /no endpoint/);
        } finally {
          await production.close();
        }
      }
    },
  );
});

describe('verification without a DID', () => {
  it('opens a session without an identity, even for a registered person [sessions/unbound-sessions]', async () => {
    const person = await registerPerson(service, account.key);
    const reply = await verify(await proveAnonymously(service, person));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      verified: true,
      sessionId: expect.any(String),
      provider: 'zkp',
      assurance: 'unbound',
      dataStorageConfirmation: { biometricDataStored: false, message: expect.any(String) },
    });
    const claims = JSON.parse(Buffer.from(reply.body.accessToken.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({
      aud: 'session',
      tenant: account.tenantId,
      environment: 'live',
      sid: reply.body.sessionId,
      assurance: 'unbound',
    });
    expect(claims).not.toHaveProperty('did');
    expect(JSON.stringify(claims)).not.toContain(person.userId);
    const session = { 'x-session-token': reply.body.accessToken };
    const me = await service.call('GET', '/v1/identity/me', { as: account.key, headers: session });
    expect([me.status, me.body.error]).toEqual([401, 'invalid_session_token']);
  });

  it('opens sessions that can be refreshed and ended like others, and stay unbound', async () => {
    const first = (await verify(await proveAnonymously(service))).body;
    const refreshed = await service.call('POST', '/v1/identity/refresh', {
      as: account.key,
      body: { refreshToken: first.refreshToken },
    });
    expect(refreshed.body).toMatchObject({ did: null, assurance: 'unbound', sessionId: first.sessionId });
    const headers = { 'x-session-token': refreshed.body.accessToken };
    const logOut = () => service.call('POST', '/v1/identity/logout', { as: account.key, headers });
    expect((await logOut()).body).toEqual({ loggedOut: true });
    expect((await logOut()).body.error).toBe('invalid_session_token');
  });

  it('accepts a nonce once, also across concurrent requests and /v1/identity/verify, and a timestamp within five minutes [http/deprecated-endpoints]', async () => {
    const body = await proveAnonymously(service);
    const replies = await Promise.all(Array.from({ length: 5 }, () => verify(body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    const person = await registerPerson(service, account.key);
    const bound = await proveFor(service, person, { tenantId: account.tenantId, nonce: body.nonce });
    const again = await service.call('POST', '/v1/identity/verify', { as: account.key, body: bound });
    expect(again.status).toBe(401);

    const at = (offset: number) => ({
      ...body,
      nonce: randomUUID(),
      timestamp: service.clock.now() + offset,
    });
    for (const offset of [-300_001, 300_001]) {
      const reply = await verify(at(offset));
      expect([reply.status, reply.body.error]).toEqual([401, 'proof_verification_failed']);
    }
    for (const offset of [-300_000, 300_000]) expect((await verify(at(offset))).status).toBe(200);
  });

  it('rejects a false proof with 401 proof_verification_failed and does not spend the nonce', async () => {
    const identity = createIdentity();
    const body = await proveAnonymously(service, identity);
    const [commitment, hash, binding] = body.publicSignals;
    const forged = await verify({ ...body, publicSignals: [commitment, hash, `${BigInt(binding) - 1n}`] });
    expect([forged.status, forged.body.error]).toEqual([401, 'proof_verification_failed']);
    expect((await verify(body)).status).toBe(200);
    const malformed = await verify({ ...body, publicSignals: [commitment, hash] });
    expect([malformed.status, malformed.body.error]).toEqual([400, 'invalid_request']);
  });

  it('records a verification without a user and an audit event, whether it passes or fails [http/deprecated-endpoints]', async () => {
    const own = await service.signUp();
    const body = await proveAnonymously(service);
    await verify(body, own.key);
    await verify(body, own.key);
    const events = await service.call('GET', '/v1/verifications', { as: own.key });
    expect(
      events.body.verifications.map(({ method, result, userId }: Record<string, unknown>) => [
        method,
        result,
        userId,
      ]),
    ).toEqual([
      ['zkp', 'fail', null],
      ['zkp', 'pass', null],
    ]);
    const audit = await service.call('GET', '/v1/audit?action=zkp.verify', { as: own.key });
    expect(audit.body.audit.map(({ status }: { status: string }) => status)).toEqual(['failure', 'success']);
  });

  it('returns 403 endpoint_disabled if the security policy turns it off, and then verifies, spends and records nothing [console/security-policy]', async () => {
    const verifier = countVerifications(await sharedVerifier());
    const own = await startService({ verifier });
    try {
      const tenant = await own.signUp();
      const body = await proveAnonymously(own);
      const send = async () => {
        const { status, body: reply } = await own.call('POST', '/v1/auth/zkp/verify', {
          as: tenant.key,
          body,
        });
        return [status, reply.error];
      };
      const setPolicy = (deprecated_verify: string) =>
        own.call('PUT', '/api/console/security-policy', {
          as: tenant.token,
          body: { security_policy: { deprecated_verify } },
        });
      expect((await setPolicy('off')).status).toBe(200);
      expect(await send()).toEqual([403, 'endpoint_disabled']);
      expect(await send()).toEqual([403, 'endpoint_disabled']);
      expect(verifier.calls.count).toBe(0);
      const events = await own.call('GET', '/v1/verifications', { as: tenant.key });
      expect(events.body.verifications).toEqual([]);
      expect((await setPolicy('on')).status).toBe(200);
      expect(await send()).toEqual([200, undefined]);
    } finally {
      await own.close();
    }
  });
});
