import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../src/bin/commands.js';
import { DatabaseUnavailableError } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { PLAN_LIMITS } from '../../src/model/plans.js';
import { sharedDatabase } from '../support/database.js';
import {
  bindPairing,
  openPairing,
  type Pairing,
  poll,
  proveForPairing,
  type StreamClient,
  submit,
  watch,
} from '../support/pairing.js';
import { type Person, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const TTL_MS = 300_000;

let service: Service;
let account: Account;
let person: Person;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  person = await registerPerson(service, account.key);
});
afterAll(() => service.close());

const open = () => openPairing(service, account.key);
const openStream = (pairing: Pairing, lastEventId?: string) =>
  watch(service, account.key, pairing, lastEventId);
const prove = ({ id, nonce }: Pairing) =>
  proveForPairing(person, { tenantId: account.tenantId, sessionId: id, nonce });
const sendWrongProof = async ({ id }: Pairing) => {
  const body = { ...(await stray), clientMeta: { platform: 'test' } };
  expect((await submit(service, account.key, id, body)).status).toBe(401);
};
/** A well-formed proof that is bound to no session, used for every rejected attempt. */
const stray = (async () =>
  proveForPairing((await import('@svc/zk/phone')).createIdentity(), {
    tenantId: crypto.randomUUID(),
    sessionId: crypto.randomUUID(),
    nonce: 'f0'.repeat(31),
  }))();

/** Waits until no stream has left a slot, a subscription or a timer. */
const settled = (on: Service) =>
  vi.waitFor(() =>
    expect([on.app.deps.streams.size, on.app.deps.bus.size, on.clock.pendingTimers]).toEqual([0, 0, 0]),
  );

describe('the stream of a pairing session', () => {
  it('sends the session’s events from creation to bind, and then ends [session_created] [session_bound] [session_error] [pairing/one-submit-binds] [GET /v1/proof-pairing/sessions/:id/stream]', async () => {
    const pairing = await open();
    const stream = await openStream(pairing);
    expect(stream.status).toBe(200);
    expect(await stream.next()).toEqual({
      id: '1',
      event: 'session_created',
      data: { id: pairing.id, state: 'issued', expiresAt: pairing.expiresAt },
    });
    await sendWrongProof(pairing);
    expect(await stream.next()).toEqual({
      id: '2',
      event: 'session_error',
      data: { id: pairing.id, error: 'pairing_nonce_mismatch', message: expect.any(String) },
    });
    expect((await submit(service, account.key, pairing.id, await prove(pairing))).status).toBe(200);
    expect(await stream.next()).toEqual({
      id: '3',
      event: 'session_bound',
      data: {
        id: pairing.id,
        state: 'bound',
        userId: person.userId,
        did: person.did,
        tokens: {
          accessToken: expect.stringMatching(/^eyJ/),
          refreshToken: expect.stringMatching(/^[\w-]{43}$/),
          tokenType: 'Bearer',
          expiresIn: 3600,
        },
      },
    });
    expect(await stream.ended()).toBe(true);
    expect(stream.headers.connection).toBe('close');
    await settled(service);
  });

  it('returns the same refresh token as polling', async () => {
    const { pairing } = await bindPairing(service, account);
    const stream = await openStream(pairing);
    const { data } = await stream.next();
    expect((await poll(service, account.key, pairing)).body.tokens).toEqual(data.tokens);
  });

  it('disables proxy buffering and compression', async () => {
    const stream = await openStream(await open());
    expect(stream.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream(;|$)/),
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-svc-tenant': account.tenantId,
      'x-svc-plan': 'enterprise',
      'x-ratelimit-limit': '10000',
      'x-request-id': expect.any(String),
      'x-content-type-options': 'nosniff',
    });
    expect(stream.headers).not.toHaveProperty('content-encoding');
    expect(stream.headers).not.toHaveProperty('content-length');
    stream.disconnect();
  });

  it('returns errors as JSON, 404 before 403, and leaves nothing open', async () => {
    const pairing = await open();
    const bare = await openStream({ ...pairing, cookie: 'a=b' });
    expect([bare.status, bare.headers['content-type']]).toEqual([403, 'application/json; charset=utf-8']);
    const stranger = await service.signUp();
    expect((await watch(service, stranger.key, pairing)).status).toBe(404);
    await settled(service);
  });

  it('starts with the current state, without earlier events [pairing/stream-of-a-session]', async () => {
    const pairing = await open();
    await sendWrongProof(pairing);
    const early = await openStream(pairing);
    expect(await early.next()).toMatchObject({ id: '2', event: 'session_created' });
    await submit(service, account.key, pairing.id, await prove(pairing));
    const late = await openStream(pairing);
    expect(await late.next()).toMatchObject({
      id: '3',
      event: 'session_bound',
      data: { userId: person.userId },
    });
    expect(await late.ended()).toBe(true);
    expect(late.text().match(/^event: /gm)).toHaveLength(1);
    expect(await early.next()).toMatchObject({ id: '3', event: 'session_bound' });
  });

  it('resumes after Last-Event-ID with the missed events, without duplicates', async () => {
    const pairing = await open();
    await sendWrongProof(pairing);
    await sendWrongProof(pairing);
    const again = await openStream(pairing, '1');
    expect(await again.next()).toMatchObject({ id: '2', event: 'session_error' });
    expect(await again.next()).toMatchObject({ id: '3', event: 'session_error' });
    const current = await openStream(pairing, '3');
    await sendWrongProof(pairing);
    expect(await current.next()).toMatchObject({ id: '4', event: 'session_error' });
    await submit(service, account.key, pairing.id, await prove(pairing));
    expect(await current.next()).toMatchObject({ id: '5', event: 'session_bound' });
    const missed = await openStream(pairing, '4');
    expect(await missed.next()).toMatchObject({ id: '5', event: 'session_bound' });
    const done = await openStream(pairing, '5');
    expect(await done.ended()).toBe(true);
    expect(done.text()).toBe('');
    again.disconnect();
  });

  it.each(['0', '-1', '1.5', 'x', '99999', '9'.repeat(40), "1' or 1=1"])(
    'ignores the invalid Last-Event-ID %s',
    async (lastEventId) => {
      const stream = await openStream(await open(), lastEventId);
      expect(await stream.next()).toMatchObject({ id: '1', event: 'session_created' });
      stream.disconnect();
    },
  );

  it('keeps the last twenty errors for clients that resume, with their original ids [pairing/polling]', async () => {
    const pairing = await open();
    for (let attempt = 0; attempt < 23; attempt += 1) await sendWrongProof(pairing);
    const stream = await openStream(pairing, '1');
    const ids: string[] = [];
    for (let event = 0; event < 20; event += 1) ids.push((await stream.next()).id);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 5)));
    stream.disconnect();
  });

  it('sends a comment every 15 seconds [pairing/stream-of-a-session]', async () => {
    const pairing = await open();
    const stream = await openStream(pairing);
    await stream.next();
    service.clock.advance(14_999);
    // Anything written earlier would arrive before this event.
    await sendWrongProof(pairing);
    expect(await stream.next()).toMatchObject({ event: 'session_error' });
    expect(stream.text()).not.toMatch(/^: /m);
    for (let beat = 0; beat < 3; beat += 1) {
      service.clock.advance(beat === 0 ? 1 : 15_000);
      expect(await stream.comment()).toMatch(/^: /);
    }
    stream.disconnect();
  });

  it('sends the expiry event exactly at expiry, and ends [session_expired]', async () => {
    const pairing = await open();
    const stream = await openStream(pairing);
    await stream.next();
    service.clock.advance(TTL_MS - 1);
    await sendWrongProof(pairing);
    expect(await stream.next()).toMatchObject({ id: '2', event: 'session_error' });
    service.clock.advance(1);
    expect(await stream.next()).toEqual({
      id: '3',
      event: 'session_expired',
      data: { id: pairing.id, state: 'expired' },
    });
    expect(await stream.ended()).toBe(true);
    await settled(service);
  });

  it('releases its resources when fifty clients disconnect', async () => {
    const pairings = await Promise.all(Array.from({ length: 50 }, open));
    const streams = await Promise.all(pairings.map((pairing) => openStream(pairing)));
    await Promise.all(streams.map((stream) => stream.next()));
    expect(service.app.deps.streams.size).toBe(50);
    for (const stream of streams) stream.disconnect();
    await settled(service);
    // The same for clients that disconnect before the first event.
    const hasty = await Promise.all(pairings.map((pairing) => openStream(pairing)));
    for (const stream of hasty) stream.disconnect();
    await settled(service);
  });

  it('counts as one call, and a 429 for too many streams as none', async () => {
    const free = await service.signUp();
    const pairing = await openPairing(service, free.key);
    const streams: StreamClient[] = [];
    for (let stream = 0; stream < 20; stream += 1) streams.push(await watch(service, free.key, pairing));
    const rejected = await watch(service, free.key, pairing);
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '15']);
    const [last] = streams.slice(-1);
    expect(rejected.headers['x-ratelimit-remaining']).toBe(last?.headers['x-ratelimit-remaining']);
    // Other accounts are unaffected, and a released slot can be used again.
    (await openStream(await open())).disconnect();
    streams[0]?.disconnect();
    await vi.waitFor(async () => {
      const next = await watch(service, free.key, pairing);
      expect(next.status).toBe(200);
      streams.push(next);
    });
    for (const stream of streams) stream.disconnect();
    await settled(service);
  });

  it.each([
    ['free', 20],
    ['starter', 100],
    ['growth', 1_000],
    ['enterprise', 10_000],
  ] as const)(
    'is limited on the %s plan to %i concurrent streams [pairing/stream-of-a-session]',
    async (plan, limit) => {
      expect(PLAN_LIMITS[plan].openStreams).toBe(limit);
      const tenant = await service.signUp({ plan });
      const pairing = await openPairing(service, tenant.key);
      const { streams } = service.app.deps;
      const slots = Array.from({ length: limit - 1 }, () => streams.reserve([tenant.tenantId, limit]));
      const stream = await watch(service, tenant.key, pairing);
      expect(stream.status).toBe(200);
      expect((await watch(service, tenant.key, pairing)).status).toBe(429);
      stream.disconnect();
      for (const release of slots) release?.();
      await settled(service);
    },
  );
});

describe('a stream whose access is revoked ends', () => {
  const streamOf = async (owner: Account, as = owner.key) => {
    const stream = await watch(service, as, await openPairing(service, as));
    await stream.next();
    return stream;
  };

  it('immediately when its API key is revoked, and streams of other keys stay open [events/ends-of-streams]', async () => {
    const owner = await service.signUp({ plan: 'enterprise' });
    const second = await service.createKey(owner, 'live');
    const [revoked, other] = [await streamOf(owner), await streamOf(owner, second)];
    await service.call('DELETE', `/api/console/keys/${owner.keyId}`, { as: owner.token });
    expect(await revoked.ended()).toBe(true);
    service.clock.advance(15_000);
    expect(await other.comment()).toMatch(/^: /);
    other.disconnect();
    await settled(service);
  });

  it.each(['suspend', 'deactivate'])('immediately when the operator runs “%s” on this node', async (verb) => {
    const owner = await service.signUp({ plan: 'enterprise' });
    const stream = await streamOf(owner);
    const input = { tenant: owner.tenantId };
    expect(await runCommand(service.app.deps, { command: `accounts ${verb}`, input })).toMatchObject({
      ok: true,
    });
    // The clock does not advance, so only the bus can have notified the stream.
    expect(await stream.ended()).toBe(true);
    await settled(service);
  });

  it('within a second when another process suspends the account', async () => {
    const owner = await service.signUp({ plan: 'enterprise' });
    const stream = await streamOf(owner);
    await pollOnce();
    await service.db.query(sql`update tenants set status = 'suspended' where id = ${owner.tenantId}`);
    service.clock.advance(1_000);
    expect(await stream.ended()).toBe(true);
    await settled(service);
  });

  it('within a second after its API key expires', async () => {
    const owner = await service.signUp({ plan: 'enterprise' });
    const expiresAt = new Date(service.clock.now() + 5_000).toISOString();
    const body = { name: 'short', environment: 'live', expiresAt };
    const { apiKey } = (await service.call('POST', '/api/console/keys', { as: owner.token, body })).body;
    const stream = await streamOf(owner, apiKey.key);
    for (let second = 0; second < 4; second += 1) await pollOnce();
    service.clock.advance(1_000);
    expect(await stream.ended()).toBe(true);
    await settled(service);
  });

  /** Advances a second and waits until the stream’s database poll is done and the next one is scheduled. */
  async function pollOnce() {
    const before = service.clock.pendingTimers;
    service.clock.advance(1_000);
    await vi.waitFor(() => expect(service.clock.pendingTimers).toBe(before));
  }
});

describe('with several nodes', () => {
  it('a bind on one node reaches a stream on another within a second', async () => {
    const node = await startService({ clock: service.clock });
    const pairing = await open();
    const stream = await openStream(pairing);
    await stream.next();
    expect((await submit(node, account.key, pairing.id, await prove(pairing))).status).toBe(200);
    service.clock.advance(1_000);
    expect(await stream.next()).toMatchObject({
      event: 'session_bound',
      data: { tokens: { tokenType: 'Bearer' } },
    });
    expect(await stream.ended()).toBe(true);
    await node.close();
  });
});

describe('shutdown and faults', () => {
  it('a shutdown ends every stream cleanly', async () => {
    const node = await startService();
    const owner = await node.signUp({ plan: 'enterprise' });
    const pairing = await openPairing(node, owner.key);
    const streams = await Promise.all(Array.from({ length: 50 }, () => watch(node, owner.key, pairing)));
    await Promise.all(streams.map((stream) => stream.next()));
    const closing = node.close();
    for (const stream of streams) expect(await stream.ended()).toBe(true);
    await closing;
    await settled(node);
  });

  it('a lost database connection aborts the stream and releases its resources', async () => {
    const { db } = await sharedDatabase();
    let isLost = false;
    const shaky = {
      ...db,
      query: ((statement) => {
        if (isLost && statement.text.includes('proof_pairing_sessions t'))
          return Promise.reject(new DatabaseUnavailableError('gone'));
        return db.query(statement);
      }) as typeof db.query,
    };
    const node = await startService({ db: shaky });
    const owner = await node.signUp({ plan: 'enterprise' });
    const pairing = await openPairing(node, owner.key);
    const stream = await watch(node, owner.key, pairing);
    await stream.next();
    isLost = true;
    node.app.deps.bus.publish('pairing_session', pairing.id);
    expect(await stream.ended()).toBe(false);
    await settled(node);
    const line = node.logged
      .map((text) => JSON.parse(text))
      .find(({ msg }) => msg === 'event stream aborted');
    expect(line).toMatchObject({ level: 'warn', requestId: stream.headers['x-request-id'] });
    await node.close();
  });

  it('the log never contains a stream’s tokens, cookie or nonce', async () => {
    const { pairing, tokens: ofPhone } = await bindPairing(service, account);
    const stream = await openStream(pairing);
    const { tokens } = (await stream.next()).data;
    const log = service.logged.join('\n');
    const secrets = [tokens.accessToken, tokens.refreshToken, ofPhone.refreshToken, pairing.nonce];
    for (const secret of [...secrets, pairing.cookie.split('~')[1]]) expect(log.includes(secret)).toBe(false);
  });
});
