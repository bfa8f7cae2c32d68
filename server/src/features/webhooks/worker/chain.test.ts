import { describe, expect, it } from 'vitest';
import { genesisHash } from '../../../ledger/audit-chain.js';
import { isLinked } from './chain.js';

const scope = { tenantId: '019dc91f-0000-7000-8000-000000000001', environment: 'live' } as const;
const genesis = genesisHash(scope.tenantId, scope.environment);
const hashOf = (seq: number) => (seq === 0 ? genesis : `hash ${seq}`);
const event = (seq: number) => ({ seq, hash: hashOf(seq), prev_hash: hashOf(seq - 1) });
const position = (seq: number) => ({ seq, hash: hashOf(seq) });
const other = { hash: 'another' };
const otherBefore = { prev_hash: 'another' };

describe('events after a position', () => {
  it.each([
    ['the first events', position(0), position(2), [event(1), event(2)]],
    ['no events', position(0), position(0), []],
    ['nothing new', position(2), position(2), []],
    [
      'the event at the position and those after it',
      position(2),
      position(4),
      [event(2), event(3), event(4)],
    ],
    ['selected events only', position(2), position(9), [event(2), event(5), event(6), event(9)]],
  ])('belong to the same chain: %s', (_, after, head, rows) => {
    expect(isLinked(scope, after, head, rows)).toBe(true);
  });

  it.each([
    ['a head before the position', position(3), position(2), []],
    ['another head at the position', position(2), { ...position(2), ...other }, []],
    ['another event at the position', position(2), position(3), [{ ...event(2), ...other }, event(3)]],
    ['no event at the position', position(2), position(4), [event(4)]],
    ['another beginning', { seq: 0, ...other }, position(1), [event(1)]],
    ['a first event that does not follow', position(0), position(1), [{ ...event(1), ...otherBefore }]],
    ['an event that does not follow', position(2), position(3), [event(2), { ...event(3), ...otherBefore }]],
  ])('belong to another chain: %s', (_, after, head, rows) => {
    expect(isLinked(scope, after, head, rows)).toBe(false);
  });
});
