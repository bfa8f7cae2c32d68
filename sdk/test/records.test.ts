import { readFileSync } from 'node:fs';
import {
  decodeRawScan,
  encodeRawScan,
  formatDeeplink,
  formatPairingCode,
  parseDeeplink,
  parsePairingCode,
  type Svc,
  SvcError,
} from '@svc/sdk';
import { createIdentity, fetchArtifacts } from '@svc/sdk/prover';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  enrolledAt,
  type ListeningService,
  listeningService,
  sdkProver,
} from '../../server/test/support/sdk.js';
import type { Account } from '../../server/test/support/service.js';

let service: ListeningService;
let account: Account;
let svc: Svc;
beforeAll(async () => {
  service = await listeningService();
  account = await service.signUp({ plan: 'enterprise' });
  svc = service.client(account.key);
});
afterAll(() => service.close());

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
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
  it('signs up, logs in, makes, lists and revokes keys', async () => {
    const anybody = service.client();
    const email = `sdk.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;
    const password = 'correct horse 7 battery staple';
    const { apiKey, tenant } = await anybody.console.signUp({ email, password, companyName: 'Example' });
    expect(tenant).toMatchObject({ email, plan: 'free' });
    const { token } = await anybody.console.logIn({ email, password });
    const { console: desk } = service.client(undefined, { consoleToken: token });
    const made = await desk.keys.create({ name: 'Test', environment: 'test', scopes: ['devices:read'] });
    expect((await desk.keys.list()).keys.map(({ id }) => id)).toEqual(
      expect.arrayContaining([apiKey.id, made.id]),
    );
    await expect(service.client(made.key).devices.create({ name: 'Door' })).rejects.toMatchObject({
      code: 'insufficient_scopes',
      status: 403,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await expect(desk.keys.revoke(made.id)).resolves.toMatchObject({ status: 'revoked' });
    await expect(service.client(made.key).devices.list().first()).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
    expect(await desk.replaceSecurityPolicy({ require_basic_integrity: true })).toEqual({
      require_basic_integrity: true,
    });
    expect(await desk.getSecurityPolicy()).toEqual({ require_basic_integrity: true });
    expect((await desk.getAccount()).tenant.email).toBe(email);
    expect((await desk.getUsage()).plan).toBe('free');
    await desk.logOut();
    await expect(desk.getAccount()).rejects.toMatchObject({ code: 'invalid_console_token' });
  });

  it('keeps devices, users, verifications and attendance, and walks through all pages of them', async () => {
    const device = await svc.devices.create({ name: 'Door', deviceType: 'kiosk' });
    expect(await svc.devices.update(device.id, { batteryLevel: 50 })).toMatchObject({
      name: 'Door',
      batteryLevel: 50,
    });
    const user = await svc.users.create({ fullName: 'Ada Lovelace' });
    expect(await svc.users.update(user.id, { employeeCode: 'e1' })).toMatchObject({ employeeCode: 'e1' });
    const { id: verificationId } = await svc.verifications.create({
      method: 'manual',
      result: 'pass',
      userId: user.id,
    });
    const made: string[] = [];
    for (let count = 0; count < 5; count++)
      made.push((await svc.attendance.create({ userId: user.id, type: 'check_in', verificationId })).id);
    const events = await listed(svc.attendance.list({ limit: 2 }));
    expect(events.map(({ id }) => id)).toEqual(made.reverse());
    expect(events[0]?.result).toBe('accepted');
    expect(await listed(svc.users.list({ status: 'active' }))).toHaveLength(1);
    expect(await listed(svc.verifications.list({ result: 'fail' }))).toEqual([]);
  });

  it('gets records by id, and lists those that match filters', async () => {
    const device = await svc.devices.create({ name: 'Door', externalId: 'door-1' });
    const user = await svc.users.create({ fullName: 'Ada', externalId: 'e-1', email: 'Ada@example.com' });
    const { id: userId } = user;
    const seen = await svc.verifications.create({ method: 'face', result: 'pass', userId });
    const event = await svc.attendance.create({ userId, type: 'check_in', deviceId: device.id });
    expect(await svc.devices.get(device.id)).toEqual(device);
    expect(await svc.users.get(userId)).toEqual(user);
    expect(await svc.verifications.get(seen.id)).toEqual(seen);
    expect(await svc.attendance.get(event.id)).toEqual(event);
    await expect(svc.attendance.get(userId)).rejects.toMatchObject({ code: 'attendance_not_found' });
    expect(await listed(svc.devices.list({ externalId: 'door-1' }))).toEqual([device]);
    expect(await listed(svc.users.list({ externalId: 'e-1', email: 'ada@example.com' }))).toEqual([user]);
    expect(await listed(svc.verifications.list({ userId, from: seen.occurredAt }))).toEqual([seen]);
    expect(await listed(svc.attendance.list({ userId, to: event.occurredAt }))).toEqual([]);
    expect(await listed(svc.attendance.list({ userId, deviceId: device.id }))).toEqual([event]);
  });

  it('walks through the audit chain and takes its export to the signed head', async () => {
    const rows = await listed(svc.audit.list({ limit: 3 }));
    const exported = await listed(svc.audit.export());
    expect(exported.at(-1)).toMatchObject({ environment: 'live', head: { seq: rows.length } });
    expect(exported.slice(0, -1)).toEqual(rows.toReversed());
  });

  it('repeats a write under its key, and makes one record of it', async () => {
    const first = await svc.devices.create({ name: 'Once' }, { idempotencyKey: 'once-and-for-all' });
    const second = await svc.devices.create({ name: 'Once' }, { idempotencyKey: 'once-and-for-all' });
    expect(second.id).toBe(first.id);
    await expect(
      svc.devices.create({ name: 'Other' }, { idempotencyKey: 'once-and-for-all' }),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('enrolls a device of the console by its deeplink', async () => {
    const desk = service.client(undefined, { consoleToken: account.token });
    const { device, enrollment } = await desk.console.devices.create({ name: 'Gate', deviceType: 'kiosk' });
    const link = parseDeeplink(enrollment.deeplink);
    expect(link).toEqual({ kind: 'enroll', code: enrollment.code });
    expect(formatDeeplink(link)).toBe(enrollment.deeplink);
    const fresh = await desk.console.devices.regenerateCode(device.id);
    const claim = { enrollment_code: fresh.enrollment.code, fingerprint: 'gate:0123456789abcdef' };
    expect(await service.client().devices.enroll(claim)).toMatchObject({
      id: device.id,
      enrollment_state: 'enrolled',
    });
    expect(await desk.console.devices.revoke(device.id)).toMatchObject({ status: 'retired' });
  });

  it('tells the service’s health and answers any operation of the contract', async () => {
    expect(await service.client().getHealth()).toMatchObject({ status: 'ok', version: '0.0.0-test' });
    const reply = await svc.request('listDevices', { query: { limit: 1 } });
    expect(reply.environment).toBe('live');
  });
});

describe('the service’s refusals, by the SDK', () => {
  it('of a wrong key say where it went, and never show it', async () => {
    const key = `svc_live_${'0'.repeat(48)}`;
    const error = await errorOf(service.client(key).devices.list().first());
    expect(error).toMatchObject({ code: 'invalid_api_key', status: 401, operation: 'GET /v1/devices' });
    expect(error.message).toContain(`svc_live_0000000… was sent to ${service.url}`);
    expect(error.message).not.toContain(key);
    expect(error.docs).toBe(`${service.url}/docs/errors#invalid_api_key`);
    expect((await fetch(error.docs as string)).status).toBe(200);
  });

  it('of a record of the other environment name the key’s own', async () => {
    const { id } = await svc.devices.create({ name: 'Live' });
    const test = service.client(await service.createKey(account, 'test'));
    const error = await errorOf(test.devices.update(id, { name: 'Test' }));
    expect(error.code).toBe('device_not_found');
    expect(error.message).toContain("sees the environment 'test' alone");
  });

  it('of a malformed field name the field', async () => {
    const error = await errorOf(svc.devices.create({ name: '', batteryLevel: 101 }));
    expect(error.details?.map(({ path }) => path).sort()).toEqual(['body.batteryLevel', 'body.name']);
    expect(error.message).toMatch(/ body\.batteryLevel [^.]+\. /);
  });

  it('of a spent window say how long to wait, and the request that waits is answered then', async () => {
    // Its own, whose clock may be moved.
    const other = await listeningService();
    const hasty = other.client((await other.signUp()).key);
    await Promise.all(Array.from({ length: 100 }, () => hasty.devices.list().first()));
    const error = await errorOf(hasty.devices.list().first());
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
    expect(error.retryAfterSeconds).toBeGreaterThan(800);
    other.clock.advance((error.retryAfterSeconds ?? 0) * 1000);
    expect((await hasty.devices.list().first()).devices).toEqual([]);
    await other.close();
  });
});

describe('people, by the SDK', () => {
  it('register, prove with the files that the service publishes, and have a session', async () => {
    const artifacts = await fetchArtifacts(svc);
    for (const name of ['wasm', 'zkey'] as const)
      expect(Buffer.from(artifacts[name])).toEqual(
        readFileSync(new URL(`../../zk/artifacts/identity_proof.${name}`, import.meta.url)),
      );
    const identity = createIdentity();
    // The whole identity is given, and only its public part is sent: a bigint could not be.
    const { userId } = await svc.identity.register({ ...identity, externalId: 'e-1815' });
    const prover = await sdkProver();
    const proof = await prover.proveVerify(identity, await svc.identity.createNonce());
    const session = await svc.identity.verify(proof);
    expect(await svc.sessions.getCurrentIdentity(session.accessToken)).toMatchObject({
      user: { id: userId },
      did: identity.did,
    });
    const fresh = await svc.sessions.refresh(session.refreshToken);
    await svc.sessions.logOut(fresh.accessToken);
    await expect(svc.sessions.getCurrentIdentity(fresh.accessToken)).rejects.toMatchObject({
      code: 'invalid_session_token',
    });

    await expect(svc.identity.verify(proof)).rejects.toThrow('The service does not say why');
    const stale = { ...(await svc.identity.createNonce()), timestamp: Date.now() - 600_000 };
    const error = await errorOf(svc.identity.verify(await prover.proveVerify(identity, stale)));
    expect(error.message).toMatch(/timestamp is (599|6\d\d) s behind the server's clock/);
    expect(await svc.identity.revoke(identity.did)).toMatchObject({ did: identity.did });
  });

  it('take part in a ceremony from the text of its first code', async () => {
    const prover = await sdkProver();
    const { session, pair } = await svc.registrations.create({ fullName: 'Grace Hopper' });
    expect(formatDeeplink(parseDeeplink(pair.deeplink))).toBe(pair.deeplink);
    const identity = createIdentity();
    const result = await service.client().registrations.takePart(pair.deeplink, {
      fingerprint: 'phone:0123456789abcdef',
      attestationKind: 'play_integrity',
      identity,
      prove: (challenge) => prover.proveRegistration(identity, challenge),
    });
    expect(result).toMatchObject({
      tenantId: account.tenantId,
      environment: 'live',
      tenant_user: { fullName: 'Grace Hopper' },
      device: { enrollment_state: 'enrolled' },
    });
    const states: string[] = [];
    const ended = await svc.registrations.wait(session.id, {
      onState: ({ state }) => void states.push(state),
    });
    expect(ended.user_id).toBe(result.tenant_user.id);
    expect(states).toEqual(['completed']);
    const opened = await svc.registrations.create();
    expect(await svc.registrations.cancel(opened.session.id)).toMatchObject({ state: 'abandoned' });
    await expect(
      service.client().registrations.takePart('svc://enroll?code=SV-7QKM-3XRT', {
        fingerprint: 'phone:0123456789abcdef',
        identity,
        prove: (challenge) => prover.proveRegistration(identity, challenge),
      }),
    ).rejects.toMatchObject({ code: 'malformed_payload' });
  });

  it('pair a desktop, and are refused where the code is of somebody else', async () => {
    const prover = await sdkProver();
    const identity = createIdentity();
    await svc.identity.register(identity);
    const told: string[] = [];
    const desktop = svc.pairing.signIn({
      onCode: (pairing) => {
        told.push('code');
        scanned(pairing.qrPayload);
      },
      onRefused: ({ error }) => void told.push(error),
    });
    let scanned: (payload: string) => void = () => {};
    const payload = await new Promise<string>((resolve) => {
      scanned = resolve;
    });
    const at = enrolledAt(service, account);
    expect(formatPairingCode(parsePairingCode(payload))).toBe(payload);
    await expect(
      prover.provePairing(identity, payload, { ...at, environment: 'test' }),
    ).rejects.toMatchObject({
      code: 'foreign_code',
    });
    const { sessionId, ...proof } = await prover.provePairing(identity, payload, at);
    await expect(service.client().pairing.getPublic(sessionId)).resolves.toMatchObject({ state: 'issued' });
    const stranger = createIdentity();
    const { sessionId: _, ...unknown } = await prover.provePairing(stranger, payload, at);
    await expect(svc.pairing.submitProof(sessionId, unknown)).rejects.toMatchObject({
      code: 'verification_failed',
    });

    const rawScan = await encodeRawScan({
      sessionId,
      ...proof,
      clientMeta: { platform: 'test', proofMs: 50 },
    });
    expect((await decodeRawScan(rawScan)).proof).toEqual(proof.proof);
    const phone = await svc.pairing.submitProof(sessionId, {
      ...proof,
      clientMeta: { platform: 'test', rawScan },
    });
    const bound = await desktop;
    expect(bound).toMatchObject({ id: sessionId, userId: phone.session.userId, did: identity.did });
    expect(told).toEqual(['code', 'verification_failed']);
    expect(await svc.sessions.getCurrentIdentity(bound.tokens.accessToken)).toMatchObject({
      did: identity.did,
    });
  });
});

describe('the vectors of the rawScan codec', () => {
  const vectors: { name: string; rawScan: string; scan: { sessionId: string } }[] = JSON.parse(
    readFileSync(new URL('../../docs/vectors/raw-scan.json', import.meta.url), 'utf8'),
  );

  it.each(vectors)('$name: the service takes it, unread', async ({ rawScan }) => {
    const prover = await sdkProver();
    const identity = createIdentity();
    await svc.identity.register(identity);
    const pairing = await svc.pairing.create();
    const { sessionId, ...proof } = await prover.provePairing(
      identity,
      pairing.qrPayload,
      enrolledAt(service, account),
    );
    await expect(
      svc.pairing.submitProof(sessionId, { ...proof, clientMeta: { rawScan } }),
    ).resolves.toMatchObject({
      session: { state: 'bound' },
    });
  });
});
