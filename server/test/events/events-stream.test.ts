import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CountingDatabase, countStatements, sharedDatabase } from '../support/database.js';
import { openStream } from '../support/pairing.js';
import { type Account, type Service, sessionHeaders, startService } from '../support/service.js';
import { createDevice, eventKey } from '../support/webhooks.js';

let service: Service;
let db: CountingDatabase;
let account: Account;
let key: string;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  service = await startService({ db });
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
});
afterAll(() => service.close());

const stream = (query = '', as = key, headers = {}) =>
  openStream(service, `/v1/events/stream${query}`, { authorization: `Bearer ${as}`, ...headers });
const head = async () => (await service.call('GET', '/v1/events?after=0&limit=100', { as: key })).body.next;

describe('the stream of events [GET /v1/events/stream]', () => {
  it('begins with the next event and sends each once, with its number as id and its type as name', async () => {
    const events = await stream();
    const before = await head();
    await createDevice(service, key);
    await createDevice(service, key);
    for (const seq of [before + 1, before + 2]) {
      const event = await events.next();
      expect(event).toMatchObject({ id: String(seq), event: 'device.created' });
      const { body } = await service.call('GET', `/v1/events?after=${seq - 1}&limit=1`, { as: key });
      expect(event?.data).toEqual(body.events[0]);
    }
    events.disconnect();
  });

  it('begins with its position, so that a client that is cut off before the first event misses nothing', async () => {
    const events = await stream('?types=identity.revoked');
    await vi.waitFor(async () => expect(events.text()).toBe(`id: ${await head()}\n\n`));
    events.disconnect();
  });

  it('resumes after Last-Event-ID, else after `after`', async () => {
    const last = await head();
    const [resumed, begun] = [
      await stream(`?after=1`, key, { 'last-event-id': String(last - 1) }),
      await stream(`?after=${last - 2}`),
    ];
    expect(await resumed.next()).toMatchObject({ id: String(last) });
    expect(await begun.next()).toMatchObject({ id: String(last - 1) });
    resumed.disconnect();
    begun.disconnect();
  });

  it('is not opened at a position that has diverged', async () => {
    const reply = await service.call('GET', `/v1/events/stream?after=1.${'0'.repeat(16)}`, {
      as: key,
      endless: true,
    });
    expect([reply.status, reply.body.error]).toEqual([409, 'chain_diverged']);
  });

  it('ends when its key is revoked, and leaves no slot, subscription or timer', async () => {
    const own = await eventKey(service, account);
    const events = await stream('?types=identity.revoked', own);
    const { body } = await service.call('GET', '/api/console/keys', { as: account.token });
    const { id } = body.keys.find(({ prefix }: { prefix: string }) => own.startsWith(prefix));
    await service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
    expect(await events.ended()).toBe(true);
    await vi.waitFor(() =>
      expect([service.app.deps.streams.size, service.app.deps.bus.size]).toEqual([0, 0]),
    );
  });
});

describe('many streams of one chain', () => {
  /** How often the service asks the database while a device is created and everybody gets the event. */
  async function askedFor(streams: readonly Awaited<ReturnType<typeof stream>>[]): Promise<number> {
    db.roundTrips = 0;
    await createDevice(service, key);
    const { id } = await streams[0]!.next();
    for (const each of streams.slice(1)) expect((await each.next()).id).toBe(id);
    return db.roundTrips;
  }

  it('are served by one read of the database for each event [events/one-read-for-a-chain]', async () => {
    const one = await stream();
    await askedFor([one]);
    const alone = await askedFor([one]);
    const more = await Promise.all(Array.from({ length: 20 }, () => stream('?types=device.*')));
    await askedFor([one, ...more]);
    expect(await askedFor([one, ...more])).toBe(alone);
    for (const each of [one, ...more]) each.disconnect();
  });

  it('each end with their own credential, and the others go on', async () => {
    const own = await eventKey(service, account);
    const [ending, staying] = [await stream('', own), await stream()];
    await createDevice(service, key);
    const before = [await ending.next(), await staying.next()].map(({ id }) => id);
    expect(before[0]).toBe(before[1]);
    const { body } = await service.call('GET', '/api/console/keys', { as: account.token });
    const { id } = body.keys.find(({ prefix }: { prefix: string }) => own.startsWith(prefix));
    await service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
    await createDevice(service, key);
    expect([(await staying.next()).event, (await staying.next()).event]).toEqual([
      'api_key.revoked',
      'device.created',
    ]);
    expect(await ending.next().catch(() => 'ended')).toBe('ended');
    staying.disconnect();
  });
});

describe('the stream in a session of the dashboard [GET /v1/events/stream]', () => {
  it('sends the same events, and ends after 15 minutes', async () => {
    const events = await openStream(
      service,
      '/v1/events/stream',
      await sessionHeaders(service.app, account.token),
    );
    await createDevice(service, key);
    expect(await events.next()).toMatchObject({ event: 'device.created' });
    service.clock.advance(15 * 60_000);
    expect(await events.ended()).toBe(true);
  });
});
