// @module-tag if-touched sdk/ examples/ contract/ zk/src/: every field of every record, through the SDK
import { readFileSync } from 'node:fs';
import {
  decodeRawScan,
  encodeRawScan,
  formatDeeplink,
  formatPairingCode,
  type Pairing,
  parseDeeplink,
  parsePairingCode,
  readPairingCode,
  SvcError,
} from '@svc/sdk';
import { createIdentity, fetchArtifacts } from '@svc/sdk/prover';
import { verifyConsistency } from '@svc/zk/approvals/merkle';
import { describe, expect, it } from 'vitest';
import { enrolledAt, listeningService, sdkProver } from '../../server/test/support/sdk.js';
import { accountOnService } from './account-on-service.js';

const on = accountOnService();

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function errorOf(request: Promise<unknown>): Promise<SvcError> {
  const error = await request.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SvcError);
  return error as SvcError;
}

describe('the SDK against the service', () => {
  it('signs up, logs in, creates, lists and revokes keys', async () => {
    const anybody = on.service.client();
    const email = `sdk.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;
    const password = 'correct horse 7 battery staple';
    const { apiKey, tenant } = await anybody.console.signUp({ email, password, companyName: 'Example' });
    expect(tenant).toMatchObject({ email, plan: 'free' });
    const { token } = await anybody.console.logIn({ email, password });
    const { console: desk } = on.service.client(undefined, { consoleToken: token });
    const created = await desk.keys.create({ name: 'Test', environment: 'test', scopes: ['devices:read'] });
    expect((await desk.keys.list()).keys.map(({ id }) => id)).toEqual(
      expect.arrayContaining([apiKey.id, created.id]),
    );
    await expect(on.service.client(created.key).devices.create({ name: 'Door' })).rejects.toMatchObject({
      code: 'insufficient_scopes',
      status: 403,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await desk.keys.update(created.id, { name: 'Door' })).toMatchObject({
      apiKey: { name: 'Door', allowedCidrs: [] },
    });
    const next = await desk.keys.rotate(created.id, 60);
    expect(next).toMatchObject({ name: 'Door', key: expect.stringMatching(/^svc_test_[0-9a-f]{48}$/) });
    await expect(desk.keys.rotate(created.id, 60)).rejects.toMatchObject({ code: 'api_key_not_active' });
    await expect(desk.keys.revoke(created.id)).resolves.toMatchObject({ status: 'revoked' });
    await expect(on.service.client(created.key).devices.list().first()).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
    expect(await desk.replaceSecurityPolicy({ require_basic_integrity: true })).toEqual({
      require_basic_integrity: true,
    });
    expect(await desk.getSecurityPolicy()).toEqual({ require_basic_integrity: true });
    const { policy, version } = await desk.getVersionedSecurityPolicy();
    expect(policy).toEqual({ require_basic_integrity: true });
    const changed = await desk.updateSecurityPolicy({ max_identities: 2 }, version);
    expect(changed.policy).toEqual({ require_basic_integrity: true, max_identities: 2 });
    const again = { max_identities: null };
    await expect(desk.updateSecurityPolicy(again, version)).rejects.toMatchObject({ code: 'policy_changed' });
    expect((await desk.updateSecurityPolicy(again, changed.version)).policy).toEqual(policy);
    expect((await desk.getAccount()).tenant.email).toBe(email);
    expect((await desk.getUsage()).plan).toBe('free');
    await desk.logOut();
    await expect(desk.getAccount()).rejects.toMatchObject({ code: 'invalid_console_token' });
  });

  it('creates devices, users, verifications and attendance, and lists all pages', async () => {
    const device = await on.svc.devices.create({ name: 'Door', deviceType: 'kiosk' });
    expect(await on.svc.devices.update(device.id, { batteryLevel: 50 })).toMatchObject({
      name: 'Door',
      batteryLevel: 50,
    });
    const user = await on.svc.users.create({ fullName: 'Ada Lovelace' });
    expect(await on.svc.users.update(user.id, { employeeCode: 'e1' })).toMatchObject({ employeeCode: 'e1' });
    const { id: verificationId } = await on.svc.verifications.create({
      method: 'manual',
      result: 'pass',
      userId: user.id,
    });
    const created: string[] = [];
    for (let count = 0; count < 5; count++)
      created.push(
        (await on.svc.attendance.create({ userId: user.id, type: 'check_in', verificationId })).id,
      );
    const events = await allOf(on.svc.attendance.list({ limit: 2 }));
    expect(events.map(({ id }) => id)).toEqual(created.reverse());
    expect(events[0]?.result).toBe('accepted');
    expect(await allOf(on.svc.users.list({ status: 'active' }))).toHaveLength(1);
    expect(await allOf(on.svc.verifications.list({ result: 'fail' }))).toEqual([]);
  });

  it('gets records by id, and lists those that match filters', async () => {
    const device = await on.svc.devices.create({ name: 'Door', externalId: 'door-1' });
    const user = await on.svc.users.create({ fullName: 'Ada', externalId: 'e-1', email: 'Ada@example.com' });
    const { id: userId } = user;
    const seen = await on.svc.verifications.create({ method: 'face', result: 'pass', userId });
    const event = await on.svc.attendance.create({ userId, type: 'check_in', deviceId: device.id });
    expect(await on.svc.devices.get(device.id)).toEqual(device);
    expect(await on.svc.users.get(userId)).toEqual(user);
    expect(await on.svc.verifications.get(seen.id)).toEqual(seen);
    expect(await on.svc.attendance.get(event.id)).toEqual(event);
    await expect(on.svc.attendance.get(userId)).rejects.toMatchObject({ code: 'attendance_not_found' });
    expect(await allOf(on.svc.devices.list({ externalId: 'door-1' }))).toEqual([device]);
    expect(await allOf(on.svc.users.list({ externalId: 'e-1', email: 'ada@example.com' }))).toEqual([user]);
    expect(await allOf(on.svc.verifications.list({ userId, from: seen.occurredAt }))).toEqual([seen]);
    expect(await allOf(on.svc.attendance.list({ userId, to: event.occurredAt }))).toEqual([]);
    expect(await allOf(on.svc.attendance.list({ userId, deviceId: device.id }))).toEqual([event]);
  });

  it('proves an entry in the signed tree, proves that the tree has only grown, and gets its checkpoint', async () => {
    const own = await on.service.signUp();
    const svc = on.service.client(own.key);
    const { tree } = await svc.audit.proof({ seq: 1 });
    await svc.devices.create({ name: 'One more entry' });
    const grown = await svc.audit.proof({ seq: tree.size + 1 });
    const { consistency } = await svc.audit.consistency({ from: tree.size, to: grown.size });
    const extension = {
      from: tree.size,
      to: grown.size,
      fromRoot: Buffer.from(tree.root, 'hex'),
      toRoot: Buffer.from(grown.tree.root, 'hex'),
      proof: consistency.map((each) => Buffer.from(each, 'hex')),
    };
    expect(verifyConsistency(extension)).toBe(true);
    expect(verifyConsistency({ ...extension, fromRoot: extension.toRoot })).toBe(false);
    expect((await errorOf(svc.audit.checkpoint())).code).toBe('endpoint_disabled');
    const desk = on.service.client(undefined, { consoleToken: own.token }).console;
    const { version } = await desk.getVersionedSecurityPolicy();
    await desk.updateSecurityPolicy({ audit_checkpoint: true }, version);
    expect(await svc.audit.checkpoint()).toMatch(/^\S+\n[0-9]+\n\S+\n\n— /);
  });

  it('lists the audit chain, and exports it up to the signed head', async () => {
    const rows = await allOf(on.svc.audit.list({ limit: 3 }));
    const exported = await allOf(on.svc.audit.export());
    expect(exported.at(-1)).toMatchObject({ environment: 'live', head: { seq: rows.length } });
    expect(exported.slice(0, -1)).toEqual(rows.toReversed());
  });

  it('repeats a write with its Idempotency-Key, which creates one record', async () => {
    const first = await on.svc.devices.create({ name: 'Once' }, { idempotencyKey: 'once-and-for-all' });
    const second = await on.svc.devices.create({ name: 'Once' }, { idempotencyKey: 'once-and-for-all' });
    expect(second.id).toBe(first.id);
    await expect(
      on.svc.devices.create({ name: 'Other' }, { idempotencyKey: 'once-and-for-all' }),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('enrolls a device with the deeplink from the console', async () => {
    const desk = on.service.client(undefined, { consoleToken: on.account.token });
    const { device, enrollment } = await desk.console.devices.create({ name: 'Gate', deviceType: 'kiosk' });
    const link = parseDeeplink(enrollment.deeplink);
    expect(link).toEqual({ kind: 'enroll', code: enrollment.code });
    expect(formatDeeplink(link)).toBe(enrollment.deeplink);
    const fresh = await desk.console.devices.regenerateCode(device.id);
    const claim = { enrollment_code: fresh.enrollment.code, fingerprint: 'gate:0123456789abcdef' };
    expect(await on.service.client().devices.enroll(claim)).toMatchObject({
      id: device.id,
      enrollment_state: 'enrolled',
    });
    expect(await desk.console.devices.revoke(device.id)).toMatchObject({ status: 'retired' });
  });

  it('returns the service’s health, and sends any operation by its id', async () => {
    expect(await on.service.client().getHealth()).toMatchObject({ status: 'ok', version: '0.0.0-test' });
    const reply = await on.svc.request('listDevices', { query: { limit: 1 } });
    expect(reply.environment).toBe('live');
  });
});

describe('the service’s errors in the SDK', () => {
  it('for a wrong key, name the address and never show the key', async () => {
    const key = `svc_live_${'0'.repeat(48)}`;
    const error = await errorOf(on.service.client(key).devices.list().first());
    expect(error).toMatchObject({ code: 'invalid_api_key', status: 401, operation: 'GET /v1/devices' });
    expect(error.message).toContain(`The key svc_live_0000000… was sent to ${on.service.url}`);
    expect(error.message).not.toContain(key);
    expect(error.docs).toBe(`${on.service.url}/docs/errors#invalid_api_key`);
    expect((await fetch(error.docs as string)).status).toBe(200);
  });

  it('for a record of the other environment, name the key’s environment', async () => {
    const { id } = await on.svc.devices.create({ name: 'Live' });
    const test = on.service.client(await on.service.createKey(on.account, 'test'));
    const error = await errorOf(test.devices.update(id, { name: 'Test' }));
    expect(error.code).toBe('device_not_found');
    expect(error.message).toContain("can only access the environment 'test'");
  });

  it('for malformed fields, name the fields', async () => {
    const error = await errorOf(on.svc.devices.create({ name: '', batteryLevel: 101 }));
    expect(error.details?.map(({ path }) => path).sort()).toEqual(['body.batteryLevel', 'body.name']);
    expect(error.message).toMatch(/ body\.batteryLevel [^.]+\. /);
  });

  it('for a used-up rate limit, have the time to wait, after which a request succeeds', async () => {
    // A separate service, because this test advances the clock.
    const other = await listeningService();
    const client = other.client((await other.signUp()).key);
    await Promise.all(Array.from({ length: 100 }, () => client.devices.list().first()));
    const error = await errorOf(client.devices.list().first());
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
    expect(error.retryAfterSeconds).toBeGreaterThan(800);
    other.clock.advance((error.retryAfterSeconds ?? 0) * 1000);
    expect((await client.devices.list().first()).devices).toEqual([]);
    await other.close();
  });
});

describe('people in the SDK', () => {
  it('register, prove with the files that the service publishes, and get a session', async () => {
    const artifacts = await fetchArtifacts(on.svc);
    for (const name of ['wasm', 'zkey'] as const)
      expect(Buffer.from(artifacts[name])).toEqual(
        readFileSync(new URL(`../../zk/artifacts/identity_proof.${name}`, import.meta.url)),
      );
    const identity = createIdentity();
    // Only the public part of the identity is sent. A bigint could not be.
    const { userId } = await on.svc.identity.register({ ...identity, externalId: 'e-1815' });
    const prover = await sdkProver();
    const proof = await prover.proveVerify(identity, await on.svc.identity.createNonce());
    const session = await on.svc.identity.verify(proof);
    expect(await on.svc.sessions.getCurrentIdentity(session.accessToken)).toMatchObject({
      user: { id: userId },
      did: identity.did,
    });
    const fresh = await on.svc.sessions.refresh(session.refreshToken);
    await on.svc.sessions.logOut(fresh.accessToken);
    await expect(on.svc.sessions.getCurrentIdentity(fresh.accessToken)).rejects.toMatchObject({
      code: 'invalid_session_token',
    });

    await expect(on.svc.identity.verify(proof)).rejects.toThrow('The service does not reveal the cause');
    const stale = { ...(await on.svc.identity.createNonce()), timestamp: Date.now() - 600_000 };
    const error = await errorOf(on.svc.identity.verify(await prover.proveVerify(identity, stale)));
    expect(error.message).toMatch(/timestamp is (599|6\d\d) s behind the server's clock/);
    expect(await on.svc.identity.revoke(identity.did)).toMatchObject({ did: identity.did });
  });

  it('complete a ceremony from the text of its first code', async () => {
    const prover = await sdkProver();
    const { session, pair } = await on.svc.registrations.create({ fullName: 'Grace Hopper' });
    expect(formatDeeplink(parseDeeplink(pair.deeplink))).toBe(pair.deeplink);
    const identity = createIdentity();
    const result = await on.service.client().registrations.takePart(pair.deeplink, {
      fingerprint: 'phone:0123456789abcdef',
      attestationKind: 'play_integrity',
      identity,
      prove: (challenge) => prover.proveRegistration(identity, challenge),
    });
    expect(result).toMatchObject({
      tenantId: on.account.tenantId,
      environment: 'live',
      tenant_user: { fullName: 'Grace Hopper' },
      device: { enrollment_state: 'enrolled' },
    });
    const states: string[] = [];
    const ended = await on.svc.registrations.wait(session.id, {
      onState: ({ state }) => void states.push(state),
    });
    expect(ended.user_id).toBe(result.tenant_user.id);
    expect(states).toEqual(['completed']);
    const opened = await on.svc.registrations.create();
    expect(await on.svc.registrations.cancel(opened.session.id)).toMatchObject({ state: 'abandoned' });
    await expect(
      on.service.client().registrations.takePart('svc://enroll?code=SV-7QKM-3XRT', {
        fingerprint: 'phone:0123456789abcdef',
        identity,
        prove: (challenge) => prover.proveRegistration(identity, challenge),
      }),
    ).rejects.toMatchObject({ code: 'malformed_payload' });
  });

  it('pair a desktop, and reject a code of another environment', async () => {
    const prover = await sdkProver();
    const identity = createIdentity();
    await on.svc.identity.register(identity);
    const events: string[] = [];
    const desktop = on.svc.pairing.signIn({
      context: { application: 'Northwind Portal' },
      onCode: (pairing) => {
        events.push('code');
        scanned(pairing);
      },
      onRefused: ({ error }) => void events.push(error),
    });
    let scanned: (pairing: Pairing) => void = () => {};
    const { qrPayload: payload, matchCode } = await new Promise<Pairing>((resolve) => {
      scanned = resolve;
    });
    const at = enrolledAt(on.service, on.account);
    expect(formatPairingCode(parsePairingCode(payload))).toBe(payload);
    await expect(
      prover.provePairing(identity, payload, { ...at, environment: 'test' }),
    ).rejects.toMatchObject({
      code: 'foreign_code',
    });
    const keyless = on.service.client();
    const { context, scanTicket } = await keyless.phone.pairing.context(readPairingCode(payload, at));
    expect(context).toMatchObject({ application: 'Northwind Portal', match: 'type' });
    const { sessionId, ...proof } = await prover.provePairing(identity, payload, at, { matchCode });
    await expect(keyless.pairing.getPublic(sessionId)).resolves.toMatchObject({ state: 'issued' });
    const stranger = createIdentity();
    const unknown = await prover.provePairing(stranger, payload, at, { matchCode });
    await expect(keyless.phone.pairing.submit(sessionId, { ...unknown, scanTicket })).rejects.toMatchObject({
      code: 'verification_failed',
    });

    const rawScan = await encodeRawScan({
      sessionId,
      ...proof,
      clientMeta: { platform: 'test', proofMs: 50 },
    });
    expect((await decodeRawScan(rawScan)).proof).toEqual(proof.proof);
    const phone = await keyless.phone.pairing.submit(sessionId, {
      ...proof,
      scanTicket,
      clientMeta: { platform: 'test', rawScan },
    });
    const bound = await desktop;
    expect(bound).toMatchObject({ id: sessionId, userId: phone.session.userId, did: identity.did });
    expect(events).toEqual(['code', 'verification_failed']);
    expect(await on.svc.sessions.getCurrentIdentity(bound.tokens.accessToken)).toMatchObject({
      did: identity.did,
    });
  });
});

describe('a page on the phone itself', () => {
  it('redeems the code that the phone returned with, once', async () => {
    const account = await on.service.signUp({ plan: 'enterprise' });
    const origin = 'https://app.example.com';
    await on.service.call('PUT', '/api/console/security-policy', {
      as: account.token,
      body: { security_policy: { origins: [origin] } },
    });
    const svc = on.service.client(account.key);
    const identity = createIdentity();
    await svc.identity.register(identity);
    const pairing = await svc.pairing.create({
      match: 'off',
      sameDevice: true,
      returnUrl: `${origin}/signed-in`,
    });
    const at = enrolledAt(on.service, account);
    const proof = await (await sdkProver()).provePairing(identity, pairing.qrPayload, at);
    const approved = await on.service.client().phone.pairing.submit(proof.sessionId, proof);
    expect(approved.returnUrl).toBe(`${origin}/signed-in#${approved.returnCode}`);
    await expect(svc.pairing.get(pairing)).resolves.toMatchObject({ tokens: null });
    await expect(svc.pairing.wait(pairing)).rejects.toThrow('the return code');
    const returnCode = String(approved.returnCode);
    const { tokens } = await svc.pairing.redeem(pairing, returnCode);
    const me = await svc.sessions.getCurrentIdentity(String(tokens?.accessToken));
    expect(me.did).toBe(identity.did);
    await expect(svc.pairing.redeem(pairing, returnCode)).rejects.toMatchObject({
      code: 'pairing_code_stale',
    });
  });
});

describe('the vectors of the rawScan codec', () => {
  const vectors: { name: string; rawScan: string; scan: { sessionId: string } }[] = JSON.parse(
    readFileSync(new URL('../../docs/vectors/raw-scan.json', import.meta.url), 'utf8'),
  );

  it.each(vectors)('$name: the service accepts it without parsing it', async ({ rawScan }) => {
    const prover = await sdkProver();
    const identity = createIdentity();
    await on.svc.identity.register(identity);
    const pairing = await on.svc.pairing.create({ match: 'off' });
    const { sessionId, ...proof } = await prover.provePairing(
      identity,
      pairing.qrPayload,
      enrolledAt(on.service, on.account),
    );
    await expect(
      on.svc.pairing.submitProof(sessionId, { ...proof, clientMeta: { rawScan } }),
    ).resolves.toMatchObject({
      session: { state: 'bound' },
    });
  });
});
