import type { SealedRecord } from '@svc/sdk';
import { sha256, toHex } from '@svc/zk/prover/sha256';
import type { NotedRecord } from '@svc/zk/records/chain-notes';
import { type ChainSeal, type ChainView, judgeRecord, stateOf } from '@svc/zk/records/judge';
import type { ExportedKind } from '@svc/zk/records/kinds';
import { pageRoot } from '@svc/zk/records/pages';
import { sealOf } from '@svc/zk/records/seal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addSeal, createHeldRecords, type Room } from './held-records';

const AT = '2026-05-12T06:30:00.000Z';
const SALTS = { facts: '00'.repeat(16), text: 'ff'.repeat(16) };
const HEADS = { headBefore: 100, headAfter: 110 };
const idOf = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const digest = (bytes: Uint8Array) => toHex(sha256(bytes));
const recordOf = (number: number): SealedRecord => ({
  ...{ id: idOf(number), result: 'fail', n: 1, salts: SALTS, sealSeq: number },
});
function sealIn(kind: ExportedKind, { n, salts, T, ...record }: SealedRecord): string {
  return sealOf({ kind, n: n as number, record, salts: salts as typeof SALTS, T }, digest).seal;
}
const entryOf = (number: number, changes: Partial<NotedRecord> = {}): NotedRecord => ({
  ...{ kind: 'verification', id: idOf(number), seq: number, at: AT, actor: 'api_key' },
  ...{ seal: sealIn('verification', recordOf(number)), lacksSeal: false, ...changes },
});

const VIEW = { erasureOf: () => undefined, isRetired: () => 'no' } satisfies Partial<ChainView>;

function held(room: Partial<Room>, records: readonly SealedRecord[]) {
  const whole: Room = { records: 10, others: 10, entriesLeftOut: 0, ...room };
  const kept = createHeldRecords('verification', whole);
  for (const record of records) kept.addRecord(record);
  const head = (seq: number) => ({ tenantId: 'tenant', seq, hash: '' });
  kept.close({
    ...{ kind: 'verification', count: records.length },
    ...{ headBefore: head(HEADS.headBefore), headAfter: head(HEADS.headAfter) },
  });
  return { kept, room: whole };
}

describe('the records of a kind', () => {
  it('are counted, and those that differ are named with their entry', () => {
    const { kept } = held({}, [1, 2, 4].map(recordOf));
    for (const entry of [entryOf(1), entryOf(2, { seal: 'another' }), entryOf(3)]) kept.addEntry(entry);
    expect(kept.report(VIEW)).toMatchObject({
      ...{ records: 3, sound: 1, faults: 3, notChecked: 0 },
      findings: [
        { id: idOf(2), fault: 'record_changed', seq: 2, at: AT },
        { id: idOf(4), fault: 'record_unknown' },
        { id: idOf(3), fault: 'record_missing', seq: 3, at: AT },
      ],
    });
  });

  it('beyond the room of a browser are left out, and neither judged nor missed', () => {
    const { kept, room } = held({ records: 2 }, [1, 2, 3, 4].map(recordOf));
    for (const number of [1, 2, 3, 4, 5]) kept.addEntry(entryOf(number, { seal: 'another' }));
    expect(kept.report(VIEW)).toMatchObject({
      ...{ records: 4, notChecked: 2, faults: 2 },
      findings: [{ id: idOf(1) }, { id: idOf(2) }],
    });
    expect(room).toMatchObject({ others: 10, entriesLeftOut: 0 });
  });

  it('that only the chain has take the other half of the room, and what does not fit is counted', () => {
    const { kept, room } = held({ others: 1 }, [recordOf(9)]);
    for (const number of [1, 2, 9]) kept.addEntry(entryOf(number));
    expect(kept.report(VIEW)).toMatchObject({
      sound: 1,
      findings: [{ id: idOf(1), fault: 'record_missing' }],
    });
    expect(room.entriesLeftOut).toBe(1);
  });

  it('that were sealed later are counted apart, and must have the pages of the chain', () => {
    const page = [1, 2].map((number) => [idOf(number), sealIn('verification', recordOf(number))] as const);
    const root = pageRoot({ kind: 'verification', records: page }, digest);
    const inChain = { kind: 'verification' as const, root, seq: 3, at: AT, actor: 'system' };
    const { kept } = held({}, [recordOf(1), { ...recordOf(2), result: 'pass' }]);
    kept.addPage({ sealedLater: page });
    expect(kept.addPagesOf([{ ...inChain, root: '00' }])).toBe(false);
    expect(kept.addPagesOf([])).toBe(false);
    expect(kept.addPagesOf([inChain])).toBe(true);
    expect(kept.report(VIEW)).toMatchObject({
      ...{ sealedLater: 1, sound: 0, faults: 1 },
      findings: [{ id: idOf(2), fault: 'record_changed', seq: 3 }],
    });
  });

  it('that were deleted because of their age make room, and are still counted', () => {
    const { kept, room } = held({ others: 1 }, [recordOf(9)]);
    const view = { ...VIEW, isRetired: (_: string, id: string) => (id === idOf(1) ? 'yes' : 'no') } as const;
    kept.addEntry(entryOf(1));
    kept.dropRetired(view);
    expect(room.others).toBe(1);
    for (const number of [2, 9]) kept.addEntry(entryOf(number));
    expect(kept.report(view)).toMatchObject({ deleted: 1, sound: 1, faults: 1 });
    expect(room.entriesLeftOut).toBe(0);
  });

  it('are twice in the export only if somebody inserted one', () => {
    const { kept } = held({}, [recordOf(1), recordOf(1)]);
    kept.addEntry(entryOf(1));
    expect(kept.report(VIEW).findings).toEqual([{ id: idOf(1), fault: 'record_unknown', times: 2 }]);
  });

  it('are not judged by what came after the export, or by entries that only name others', () => {
    const { kept } = held({}, [recordOf(1)]);
    kept.addEntry(entryOf(1));
    kept.addEntry(entryOf(1, { seq: HEADS.headAfter + 1, seal: 'another' }));
    kept.addEntry(entryOf(2, { seal: undefined }));
    expect(kept.report(VIEW)).toMatchObject({ sound: 1, faults: 0, deleted: 0 });
  });
});

it('the seals that are kept of a record lead to the judgement of all of them, and are few', () => {
  const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 20 });
  const row = recordOf(1);
  fc.assert(
    fc.property(
      fc.constantFrom<ExportedKind>('device', 'verification'),
      seqs,
      fc.nat(20),
      (kind, seqs, at) => {
        const { n, salts, ...record } = row;
        const seals: ChainSeal[] = seqs
          .filter((seq) => seq <= HEADS.headAfter)
          .sort((left, right) => left - right)
          .map((seq, each) => ({ seq, at: AT, seal: each === at ? sealIn(kind, row) : 'another' }));
        const kept: ChainSeal[] = [];
        for (const seal of seals) addSeal(kept, seal, kind, HEADS.headBefore);
        for (const state of [stateOf(kind, { record, n, salts }, digest), undefined]) {
          const judge = (of: readonly ChainSeal[]) =>
            judgeRecord({ kind, id: row.id }, { seals: of, isNamed: true }, state, { ...VIEW, ...HEADS });
          expect(judge(kept)).toEqual(judge(seals));
        }
        expect(kept.filter(({ seq }) => seq <= HEADS.headBefore).length).toBeLessThanOrEqual(3);
      },
    ),
  );
});
