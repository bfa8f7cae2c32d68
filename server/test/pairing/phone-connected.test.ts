import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { contextOf, openPairing, type Pairing, poll, scanOf, watch } from '../support/pairing.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const open = () => openPairing(service, account.key, undefined, { match: 'type' });
const scan = async (pairing: Pairing) => {
  expect((await contextOf(service, pairing.id, scanOf(pairing))).status).toBe(200);
};
const now = () => new Date(service.clock.now()).toISOString();

describe('a phone that opens the code', () => {
  it('shows on the stream, and nothing tells who it is [phone_connected] [pairing/phone-connected]', async () => {
    const pairing = await open();
    const stream = await watch(service, account.key, pairing);
    expect((await stream.next()).data).toEqual({
      id: pairing.id,
      state: 'issued',
      expiresAt: pairing.expiresAt,
    });
    const phoneConnectedAt = now();
    await scan(pairing);
    expect(await stream.phone()).toEqual({ id: pairing.id, state: 'issued', phoneConnectedAt });
    expect(stream.text()).not.toMatch(/id: 2/);
    stream.disconnect();
  });

  it('shows in the first event, in a stream that resumes, and to a poll [pairing/phone-connected]', async () => {
    const pairing = await open();
    expect((await poll(service, account.key, pairing)).body.session).not.toHaveProperty('phoneConnectedAt');
    const phoneConnectedAt = now();
    await scan(pairing);
    const first = await watch(service, account.key, pairing);
    expect(await first.next()).toMatchObject({
      id: '1',
      event: 'session_created',
      data: { phoneConnectedAt },
    });
    await first.code();
    expect(first.text()).not.toContain('phone_connected');
    first.disconnect();
    const resumed = await watch(service, account.key, pairing, '1');
    expect(await resumed.phone()).toMatchObject({ phoneConnectedAt });
    resumed.disconnect();
    expect((await poll(service, account.key, pairing)).body.session).toMatchObject({ phoneConnectedAt });
  });

  it('shows again after ten seconds, and reading sooner writes nothing [pairing/phone-connected]', async () => {
    const pairing = await openPairing(service, account.key);
    const read = async () => {
      expect((await contextOf(service, pairing.id)).status).toBe(200);
      return (await poll(service, account.key, pairing)).body.session.phoneConnectedAt;
    };
    const first = await read();
    service.clock.advance(9_999);
    expect(await read()).toBe(first);
    service.clock.advance(1);
    expect(await read()).toBe(now());
  });

  it('does not show after a stale scan, or once the session has ended [pairing/phone-connected]', async () => {
    const pairing = await open();
    const stale = scanOf(pairing);
    service.clock.advance(20_000);
    expect((await contextOf(service, pairing.id, stale)).status).toBe(410);
    const { session } = (await poll(service, account.key, pairing)).body;
    expect(session).not.toHaveProperty('phoneConnectedAt');
    await service.db.query(
      sql`update proof_pairing_sessions set state = 'declined' where id = ${pairing.id}`,
    );
    expect((await contextOf(service, pairing.id, scanOf(session))).status).toBe(409);
    expect((await poll(service, account.key, pairing)).body.session).not.toHaveProperty('phoneConnectedAt');
  });

  it('shows on a stream of another node within a second [pairing/phone-connected]', async () => {
    const node = await startService({ clock: service.clock });
    const pairing = await open();
    const stream = await watch(service, account.key, pairing);
    await stream.next();
    expect((await contextOf(node, pairing.id, scanOf(pairing))).status).toBe(200);
    service.clock.advance(1_000);
    expect(await stream.phone()).toMatchObject({ id: pairing.id });
    stream.disconnect();
    await node.close();
  });

  it('leaves no row in the audit log [pairing/phone-connected]', async () => {
    const newest = async () =>
      (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0].action;
    await scan(await open());
    expect(await newest()).toBe('pairing.session_created');
  });
});
