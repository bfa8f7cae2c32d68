import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChainNotes, recordsIn } from './chain-notes.js';
import {
  type ChainSeal,
  type ChainView,
  isTextRemoved,
  judgeRecord,
  type SealedRow,
  stateOf,
  UNSEALED,
  WRITE_ONCE,
} from './judge.js';
import { unsealedIn } from './kinds.js';
import { sealOf } from './seal.js';

const ID = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b01';
const PERSON = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b02';
const SALTS = { facts: '00'.repeat(16), text: 'ff'.repeat(16) };
const AT = '2026-05-12T17:02:00.000Z';
const digest = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

const rowOf = (name: string, changes: Partial<SealedRow> = {}): SealedRow => ({
  ...{ record: { id: ID, name, userId: PERSON }, n: 1, salts: SALTS },
  ...changes,
});
const sealed = (kind: 'device' | 'verification', row: SealedRow, seq: number): ChainSeal => ({
  ...{ seq, at: AT },
  seal: sealOf({ kind, n: 1, record: row.record, salts: SALTS }, digest).seal,
});
const view = (changes: Partial<ChainView> = {}): ChainView => ({
  ...{ headBefore: 10, headAfter: 12, erasureOf: () => undefined, isRetired: () => 'no' },
  ...changes,
});
const judge = (
  kind: 'device' | 'verification',
  seals: readonly ChainSeal[],
  row: SealedRow | undefined,
  of = view(),
) =>
  judgeRecord({ kind, id: ID }, { seals, isNamed: seals.length > 0 }, row && stateOf(kind, row, digest), of)
    .is;

describe('a record', () => {
  it('that changed while it was read may have each of its seals of that time, and no earlier one', () => {
    const rows = ['first', 'before', 'during', 'after'].map((name) => rowOf(name));
    const seals = rows.slice(0, 3).map((row, at) => sealed('device', row, [3, 9, 11][at] as number));
    expect(rows.map((row) => judge('device', seals, row))).toEqual([
      'record_changed',
      'sound',
      'sound',
      'record_changed',
    ]);
  });

  it('that was made while the others were read may be missing', () => {
    expect(judge('device', [sealed('device', rowOf('a'), 10)], undefined)).toBe('record_missing');
    expect(judge('device', [sealed('device', rowOf('a'), 11)], undefined)).toBe('too_new');
  });

  it('that can be sealed once is judged by its first seal, and was sealed again if there is another', () => {
    expect([...WRITE_ONCE]).toEqual(['verification', 'attendance', 'registration', 'pairing']);
    const row = rowOf('a');
    const seal = sealed('verification', row, 11);
    expect(judge('verification', [seal], row)).toBe('sound');
    expect(judge('verification', [seal, { ...seal, seq: 12 }], row)).toBe('record_resealed');
  });

  it('whose text is gone keeps its hash, if the person was erased', () => {
    const whole = rowOf('a');
    const { T } = sealOf({ kind: 'verification', n: 1, record: whole.record, salts: SALTS }, digest);
    const stripped = rowOf('a', { salts: { ...SALTS, text: null }, T });
    const seals = [sealed('verification', whole, 4)];
    const erasureOf = (userId: string) => (userId === PERSON ? { seq: 9, at: 'then' } : undefined);
    expect(judge('verification', seals, stripped, view({ erasureOf }))).toBe('sound');
    expect(judge('verification', seals, stripped)).toBe('salt_missing');
    const other = { ...stripped, T: '0'.repeat(64) };
    expect(judge('verification', seals, other, view({ erasureOf }))).toBe('record_changed');
    const said = { ...stripped, record: { ...stripped.record, referenceId: 'r2' } };
    expect(judge('verification', seals, said, view({ erasureOf }))).toBe('record_changed');
    const none = { ...stripped, T: undefined };
    expect(judge('verification', seals, none, view({ erasureOf }))).toBe('record_changed');
  });

  it('of an erased person says nothing and that it was erased, unless it was read before', () => {
    const text = {
      fullName: '',
      externalId: null,
      email: null,
      phone: null,
      employeeCode: null,
      metadata: null,
    };
    const erased = { id: ID, status: 'inactive', erasedAt: AT, ...text };
    const empty = { record: erased, n: 1, salts: { facts: null, text: null } };
    const whole = { record: { id: ID, fullName: 'Ada', status: 'active' }, n: 1, salts: SALTS };
    const { seal } = sealOf({ kind: 'user', ...whole }, digest);
    const judged = (row: SealedRow, at: number) =>
      judgeRecord(
        { kind: 'user', id: ID },
        { seals: [{ seq: 4, seal, at: AT }], isNamed: true },
        stateOf('user', row, digest),
        view({ erasureOf: () => ({ seq: at, at: 'then' }) }),
      );
    expect(judged(empty, 9)).toEqual({ is: 'erased' });
    expect(judged(whole, 9)).toEqual({ is: 'record_changed', seq: 9, at: 'then' });
    expect(judged(whole, 11)).toEqual({ is: 'sound' });
    for (const change of [{ status: 'active' }, { erasedAt: null }, { email: 'a@b.c' }])
      expect(judged({ ...empty, record: { ...erased, ...change } }, 9)).toMatchObject({ is: 'salt_missing' });
  });

  it('of nobody is sound unless each of its parts is as it was sealed', () => {
    const change = fc.constantFrom<Partial<SealedRow>>(
      { n: 2 },
      { salts: { ...SALTS, facts: '11'.repeat(16) } },
      { salts: { ...SALTS, text: '11'.repeat(16) } },
      { T: '0'.repeat(64) },
      { record: { id: ID, name: 'b', userId: PERSON } },
      { record: { id: ID, name: 'a', status: 'retired', userId: PERSON } },
    );
    fc.assert(
      fc.property(change, (changes) => {
        expect(judge('device', [sealed('device', rowOf('a'), 4)], rowOf('a', changes))).toBe(
          'record_changed',
        );
      }),
    );
  });
});

const OF_TENANT = {
  ...{ actorType: 'system', actorId: null, entityType: 'tenant', entityId: null },
  ...{ status: 'success', createdAt: AT },
};

describe('a chain that says that its records are sealed', () => {
  const read = (seq: number, changes: object, from = 5) => {
    const notes = createChainNotes();
    notes.read({ ...OF_TENANT, seq: from, action: 'chain.records_sealed', metadata: {} });
    const own = { action: 'device.updated', entityType: 'device', entityId: ID, metadata: {} };
    return notes.read({ ...OF_TENANT, seq, ...own, ...changes });
  };

  it.each<[string, object]>([
    ['has a seal', { metadata: { seal: 'a' } }],
    ['says that what is sealed stays the same', { metadata: { sealed: 'same' } }],
    ['failed', { status: 'failure' }],
    ['is of an action that seals nothing', { action: 'device.code_regenerated' }],
  ])('lacks no seal in an entry that %s', (_, changes) => {
    expect(read(6, changes).filter(({ lacksSeal }) => lacksSeal)).toEqual([]);
  });

  it('lacks that of another entry, which is no sign of a record from before', () => {
    const [lacking] = read(6, {});
    expect(lacking).toMatchObject({ kind: 'device', id: ID, seq: 6, lacksSeal: true });
    const history = { seals: [], isNamed: true, lacking: { seq: 6, at: AT } };
    expect(judgeRecord({ kind: 'device', id: ID }, history, undefined, view())).toEqual({
      ...{ is: 'seal_missing', seq: 6, at: AT },
    });
    expect(read(6, { action: 'device.session_opened' })).toEqual([]);
    expect(read(4, { action: 'device.session_opened' })).toMatchObject([
      { lacksSeal: false, seal: undefined },
    ]);
  });
});

describe('a record that a version without seals changed', () => {
  const first = sealed('device', rowOf('a'), 3);
  const none = { seq: 5, at: AT, seal: UNSEALED };
  const last = sealed('device', rowOf('c'), 7);
  it.each<[string, readonly ChainSeal[], string]>([
    ['a', [first, none], 'not_covered'],
    ['b', [first, none], 'not_covered'],
    ['b', [none, first], 'record_changed'],
    ['b', [first, none, last], 'record_changed'],
    ['c', [first, none, last], 'sound'],
    ['b', [first, { ...none, seq: 11 }, { ...last, seq: 12 }], 'not_covered'],
  ])('is not covered until it is sealed again: %s with %o is %s', (name, seals, is) => {
    expect(judge('device', seals, rowOf(name))).toBe(is);
  });

  it('is missing only if it had a seal', () => {
    expect(judge('device', [none], undefined)).toBe('sound');
    expect(judge('device', [first, none], undefined)).toBe('record_missing');
    expect(judge('device', [none], rowOf('a', { n: null, salts: null }))).toBe('not_covered');
    expect(judge('device', [first, none], rowOf('b', { n: null, salts: null }))).toBe('salt_missing');
  });

  it.each<[string, object, (string | undefined)[]]>([
    ['about a device', {}, [UNSEALED]],
    ['about a phone', { action: 'device.enrolled' }, [UNSEALED]],
    ['with a seal', { metadata: { seal: 'a' } }, ['a']],
    [
      'that calls itself unsealed',
      { action: 'verification.created', entityType: 'verification', metadata: { seal: UNSEALED } },
      [undefined],
    ],
    ['that failed', { status: 'failure' }, [undefined]],
    ['about the same', { metadata: { sealed: 'same' } }, [undefined]],
    [
      'about something else',
      { action: 'attendance.created', entityType: 'attendance', metadata: { deviceId: ID } },
      [undefined, undefined],
    ],
    [
      'of a registration',
      {
        action: 'registration.completed',
        entityType: 'registration',
        metadata: { userId: ID, deviceId: ID },
      },
      [undefined, UNSEALED, undefined],
    ],
  ])('is named by an entry %s', (_, changes, expected) => {
    const own = { action: 'device.updated', entityType: 'device', entityId: ID, metadata: {} };
    const noted = createChainNotes().read({ ...OF_TENANT, seq: 4, ...own, ...changes });
    expect(noted.map(({ seal }) => seal)).toEqual(expected);
  });
});

it('the fields that no seal covers are those that are in no list, or all without a list', () => {
  const record = { id: ID, result: 'pass', metadata: null, approvedBy: 'CEO' };
  expect(unsealedIn('verification', 1, record)).toEqual(['approvedBy']);
  for (const n of [2, null]) expect(unsealedIn('verification', n, record)).toHaveLength(4);
});

describe('an entry', () => {
  it('names the record that it is about, and others by their kind, with their seals if it has some', () => {
    const metadata = { seal: 'a', userId: PERSON, seal_user: 'b', deviceId: 7, verificationId: PERSON };
    const entry = { action: 'attendance.created', status: 'success', entityId: ID };
    expect(recordsIn({ ...entry, entityType: 'attendance', metadata })).toEqual([
      { kind: 'user', id: PERSON, seal: 'b', mustSeal: false, isChanged: false },
      { kind: 'verification', id: PERSON, seal: undefined, mustSeal: false, isChanged: false },
      { kind: 'attendance', id: ID, seal: 'a', mustSeal: false, isChanged: false },
    ]);
    expect(recordsIn({ ...entry, entityType: 'webhook', metadata: { seal: 'a' } })).toEqual([]);
  });
});

describe('text that was removed', () => {
  it.each<[object, boolean]>([
    [{}, true],
    [{ metadata: null, referenceId: null, reason: null }, true],
    [{ reason: 'face_not_recognized' }, true],
    [{ reason: 'He laughed' }, false],
    [{ referenceId: 'r1' }, false],
    [{ metadata: {} }, false],
  ])('left nothing else behind: %o %s', (record, expected) => {
    expect(isTextRemoved('verification', 1, { id: ID, ...record })).toBe(expected);
  });
});

describe('a record without a seal', () => {
  const row = rowOf('a', { n: null, salts: null });
  it.each([
    [true, 'not_covered'],
    [false, 'record_unknown'],
  ])('is from before there were seals if an entry names it: %s', (isNamed, is) => {
    const state = stateOf('device', row, digest);
    expect(judgeRecord({ kind: 'device', id: ID }, { seals: [], isNamed }, state, view())).toEqual({ is });
  });

  it('was sealed if the chain has a seal of it', () => {
    expect(judge('device', [sealed('device', rowOf('a'), 4)], row)).toBe('salt_missing');
  });
});

describe('a registration or pairing', () => {
  const AT_END = [sealed('verification', rowOf('a'), 4)];
  it.each(['registration', 'pairing'] as const)('that is missing was deleted with time: %s', (kind) => {
    const history = { seals: AT_END, isNamed: true };
    expect(judgeRecord({ kind, id: ID }, history, undefined, view())).toEqual({ is: 'deleted' });
  });

  it('without a person may have lost its text with anybody who was erased', () => {
    const record = { id: ID, state: 'abandoned', user_id: null, profile: { note: 'a' } };
    const { seal, T } = sealOf({ kind: 'registration', n: 1, record, salts: SALTS }, digest);
    const row = { record: { ...record, profile: null }, n: 1, salts: { ...SALTS, text: null }, T };
    const judged = (of: object, erasureOf: ChainView['erasureOf']) =>
      judgeRecord(
        { kind: 'registration', id: ID },
        { seals: [{ seq: 4, seal, at: AT }], isNamed: true },
        stateOf('registration', { ...row, record: { ...row.record, ...of } }, digest),
        view({ erasureOf }),
      ).is;
    const somebody = (userId?: string) => (userId === undefined ? { seq: 9, at: 'then' } : undefined);
    expect(judged({}, somebody)).toBe('sound');
    expect(judged({ state: 'completed' }, somebody)).toBe('record_changed');
    expect(judged({}, () => undefined)).toBe('salt_missing');
    expect(judged({ user_id: PERSON }, somebody)).toBe('salt_missing');
    const notes = createChainNotes();
    expect(notes.view.erasureOf(undefined)).toBeUndefined();
    notes.read({
      ...OF_TENANT,
      seq: 3,
      action: 'user.erased',
      entityType: 'user',
      entityId: PERSON,
      metadata: {},
    });
    expect(notes.view.erasureOf(undefined)).toEqual({ seq: 3, at: AT });
  });
});

describe('records that are too old', () => {
  const noted = (headBefore = 1) => {
    const notes = createChainNotes(() => headBefore);
    const action = 'tenant.retention_applied';
    notes.read({
      ...{ ...OF_TENANT, seq: 1, action },
      metadata: { before: AT, verification_last: ID, attendance_last: null },
    });
    return notes.view;
  };
  const HOUR = 60 * 60_000;
  const at = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
  it.each([
    [ID, -2 * HOUR, 'yes'],
    [ID, -HOUR / 2, 'perhaps'],
    [ID, HOUR / 2, 'perhaps'],
    [ID, 2 * HOUR, 'no'],
    [PERSON, -2 * HOUR, 'no'],
  ])('were deleted if an entry says so: %s, created %s ms after the limit: %s', (id, ms, expected) => {
    expect(noted().isRetired('verification', id, at(ms))).toBe(expected);
    expect(noted().isRetired('attendance', id, at(ms))).toBe('no');
    const later = noted(0).isRetired('verification', id, at(ms));
    expect(later, 'deleted after they were read').toBe(expected === 'yes' ? 'perhaps' : expected);
  });
});
