import { expect, it } from 'vitest';
import { createHeadCheck, createTally, isRecordsEnd, type NotedHead, type RecordsEnd } from './compare.js';
import type { ChainView } from './judge.js';

const head = (seq: number, hash = `hash ${seq}`, tenantId = 'tenant'): NotedHead => ({ tenantId, seq, hash });
const end = (headBefore: NotedHead, headAfter: NotedHead): RecordsEnd => ({
  ...{ kind: 'user', count: 0, headBefore, headAfter },
});

it('the last line of an export names its kind and both heads', () => {
  expect(isRecordsEnd(end(head(1), head(2)))).toBe(true);
  for (const other of [null, 7, [], {}, { ...end(head(1), head(2)), kind: 'session' }, { kind: 'user' }])
    expect(isRecordsEnd(other)).toBe(false);
});

it('an export can be compared with the chain that has both of its heads, and with no other', () => {
  const differs = (exported: RecordsEnd, last = 3) => {
    const heads = createHeadCheck([exported]);
    for (let seq = 1; seq <= last; seq += 1)
      heads.note({ seq, hash: `hash ${seq}`, prevHash: `hash ${seq - 1}` });
    return heads.differenceOf(exported, head(last));
  };
  expect(differs(end(head(1), head(3)))).toBeUndefined();
  expect(differs(end(head(0), head(2)))).toBeUndefined();
  expect(differs(end(head(0), head(0)), 0)).toBeUndefined();
  expect(differs(end(head(1), head(4)))).toEqual({ is: 'newer', seq: 4 });
  expect(differs(end(head(1, 'another'), head(3)))).toEqual({ is: 'other chain', seq: 1 });
  expect(differs(end(head(0, 'another'), head(3)))).toEqual({ is: 'other chain', seq: 0 });
  expect(differs(end(head(1), head(3, 'another')))).toEqual({ is: 'other chain', seq: 3 });
  expect(differs(end(head(1), head(2, 'hash 2', 'other')))).toEqual({ is: 'other chain', seq: 2 });
});

it('records are counted by their judgement, but not those that entries only name', () => {
  const view: ChainView = { headBefore: 5, headAfter: 5, erasureOf: () => undefined, isRetired: () => 'no' };
  const tally = createTally('verification', view, 1);
  const state = { lacks: undefined, seal: 'a', person: undefined, isEmpty: false };
  const seal = { seq: 1, seal: 'a', at: '2026-05-12T06:30:00.000Z' };
  tally.add('sound', { seals: [seal], isNamed: true }, [state]);
  tally.add('only named', { seals: [], isNamed: true }, []);
  tally.add('before', { seals: [], isNamed: true }, [{ ...state, lacks: 'number' }]);
  tally.add('missing', { seals: [seal], isNamed: true }, []);
  tally.add('new', { seals: [{ ...seal, seq: 6 }], isNamed: true }, []);
  tally.add('twice', { seals: [seal], isNamed: true }, [state, state]);
  expect(tally.result()).toEqual({
    ...{ sound: 1, sealedLater: 0, notCovered: 1, deleted: 0, erased: 0, tooNew: 1, faults: 2 },
    findings: [{ id: 'missing', fault: 'record_missing', seq: 1, at: seal.at }],
  });
});
