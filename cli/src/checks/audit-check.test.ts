import { createKeyring } from '@svc/server/base/keyring';
import { canonicalJson, genesisHash, linkHash, signHead } from '@svc/server/ledger/audit-chain';
import { describe, expect, it } from 'vitest';
import { checkChain, type ShownEvent, type ShownHead } from './audit-check.js';

const TENANT = '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
const keys = createKeyring('a secret of at least thirty-two bytes').current;

function chain(length: number): { events: ShownEvent[]; head: ShownHead } {
  let prevHash = genesisHash(TENANT, 'live');
  const events = Array.from({ length }, (_, index) => {
    const event = {
      id: `event-${index + 1}`,
      seq: index + 1,
      action: 'device.created',
      status: 'success',
      createdAt: '2026-05-12T09:30:00.000Z',
    };
    const row = { ...event, prevHash, hash: linkHash(prevHash, canonicalJson(event)) };
    prevHash = row.hash;
    return row;
  });
  const head = { seq: length, hash: prevHash, at: Date.parse('2026-05-12T09:30:00.000Z') };
  const { signature } = signHead(keys, TENANT, 'live', head);
  const shown = {
    tenantId: TENANT,
    ...head,
    at: new Date(head.at).toISOString(),
    publicKey: keys.signing.publicHex,
    signature,
  };
  return { events, head: shown };
}

describe('the client’s own check of a chain', () => {
  it('accepts a whole chain, an empty one too', () => {
    for (const length of [0, 1, 5]) {
      const { events, head } = chain(length);
      expect(checkChain(events, head, 'live')).toBeUndefined();
    }
  });

  it.each<[string, (events: ShownEvent[]) => ShownEvent[], RegExp]>([
    [
      'an altered field',
      (events) => events.map((row) => (row.seq === 3 ? { ...row, action: 'x' } : row)),
      /event-3 was altered/,
    ],
    ['a removed row', (events) => events.filter((row) => row.seq !== 2), /event-3 has sequence 3, not 2/],
    ['a cut-off tail', (events) => events.slice(0, 4), /the head is not the last row/],
    [
      'a changed pointer',
      (events) => events.map((row) => (row.seq === 2 ? { ...row, prevHash: row.hash } : row)),
      /event-2 does not follow/,
    ],
  ])('names %s', (_, change, fault) => {
    const { events, head } = chain(5);
    expect(checkChain(change(events), head, 'live')).toMatch(fault);
  });

  it('refuses a head that another key signed, and a chain of another environment', () => {
    const { events, head } = chain(2);
    const other = createKeyring('another secret of thirty-two bytes').current.signing.publicHex;
    expect(checkChain(events, { ...head, publicKey: other }, 'live')).toMatch(/signature/);
    expect(checkChain(events, { ...head, publicKey: null }, 'live')).toMatch(/signature/);
    expect(checkChain(events, head, 'test')).toMatch(/event-1 does not follow the start/);
  });
});
