import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultPath } from '../../test/support/fault-path.js';
import { canonicalJson } from '../approvals/canonical-json.js';
import { correctBind, correctDeclineBind } from '../field.js';
import {
  CORRECTION_CAUSES,
  type Correction,
  type CorrectionChange,
  type CorrectionStatement,
  correctionDigest,
  correctionSha256,
  readCorrection,
  readCorrectionStatement,
} from './correction.js';

/** Read as text, because a bundler would reject the half of a surrogate pair. */
const { corrections: vectors } = JSON.parse(
  readFileSync(new URL('../../../docs/vectors/attendance.json', import.meta.url), 'utf8'),
) as {
  readonly corrections: {
    readonly good: readonly Readonly<
      Record<
        | 'name'
        | 'canonical'
        | 'correctionSha256'
        | 'statementCanonical'
        | 'digest'
        | 'correctBind'
        | 'correctDeclineBind',
        string
      > & { correction: Correction; statement: CorrectionStatement; decidedAtMs: number }
    >[];
    readonly bad: readonly Readonly<Record<'name' | 'path', string> & { correction: unknown }>[];
  };
};

const hashOf = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');
const without = (value: object, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

const ids = fc.uuid();
const times = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const corrected = {
  type: fc.constantFrom('check_in' as const, 'check_out' as const),
  reason: fc.constantFrom('work' as const, 'break' as const),
  occurredAt: times,
};
const changes: fc.Arbitrary<CorrectionChange> = fc
  .record({ old: fc.option(fc.record({ id: ids, ...corrected })), new: fc.option(fc.record(corrected)) })
  .filter((change) => change.old !== null || change.new !== null);
const corrections: fc.Arbitrary<Correction> = fc.record({
  userId: ids,
  cause: fc.constantFrom(...CORRECTION_CAUSES),
  note: fc.option(fc.stringMatching(/^[a-z]{1,9}([ \n][a-z]{1,9}){0,3}$/)),
  changes: fc.uniqueArray(changes, {
    minLength: 1,
    maxLength: 10,
    selector: ({ old }) => old?.id ?? Symbol(),
  }),
});

describe('a correction', () => {
  it.each(vectors.good)('is read, hashed and bound as docs/vectors say: $name', (vector) => {
    const correction = readCorrection(vector.correction, '');
    expect(canonicalJson(correction)).toBe(vector.canonical);
    expect(correctionSha256(correction)).toBe(vector.correctionSha256);
    const statement = readCorrectionStatement(vector.statement);
    expect(statement.correctionSha256).toBe(vector.correctionSha256);
    expect(canonicalJson(statement)).toBe(vector.statementCanonical);
    expect(correctionDigest(statement)).toBe(vector.digest);
    const { tenant: tenantId, environment, correctionId } = statement;
    const { digest, decidedAtMs } = vector;
    const fields = { tenantId, environment, correctionId, digest, decidedAtMs };
    expect(String(correctBind(fields))).toBe(vector.correctBind);
    expect(String(correctDeclineBind(fields))).toBe(vector.correctDeclineBind);
  });

  it.each(vectors.bad)('is rejected with $name, at its path', (vector) => {
    expect(faultPath(() => readCorrection(vector.correction, ''))).toBe(vector.path);
  });

  it('is read as it is, and hashed as its canonical JSON', () => {
    fc.assert(
      fc.property(corrections, (correction) => {
        expect(readCorrection(correction, '')).toBe(correction);
        expect(correctionSha256(correction)).toBe(hashOf(correction));
      }),
    );
  });

  it('has another hash when any of its values is another one', () => {
    fc.assert(
      fc.property(corrections, corrections, changes, (correction, other, change) => {
        const variants = [
          ...Object.keys(correction).map((name) => ({
            ...correction,
            [name]: other[name as keyof Correction],
          })),
          { ...correction, changes: correction.changes.with(0, change) },
          { ...correction, changes: [...correction.changes, change] },
          { ...correction, changes: correction.changes.slice(1) },
        ];
        for (const variant of variants)
          if (canonicalJson(variant) !== canonicalJson(correction))
            expect(correctionSha256(variant)).not.toBe(correctionSha256(correction));
      }),
    );
  });

  it('is rejected without any of its fields, or with one more, at the path of that field', () => {
    fc.assert(
      fc.property(corrections, (correction) => {
        const read = (value: unknown) => faultPath(() => readCorrection(value, 'body'));
        for (const name of Object.keys(correction))
          expect(read(without(correction, name))).toBe(`body.${name}`);
        expect(read({ ...correction, extra: 1 })).toBe('body.extra');
        const [first] = correction.changes as [CorrectionChange];
        const withFirst = (change: object) => read({ ...correction, changes: [change] });
        for (const side of ['old', 'new'] as const) {
          expect(withFirst(without(first, side))).toBe(`body.changes.0.${side}`);
          const value = first[side];
          for (const name of Object.keys(value ?? {}))
            expect(withFirst({ ...first, [side]: without(value ?? {}, name) })).toBe(
              `body.changes.0.${side}.${name}`,
            );
          if (value)
            expect(withFirst({ ...first, [side]: { ...value, extra: 1 } })).toBe(
              `body.changes.0.${side}.extra`,
            );
        }
      }),
      { numRuns: 30 },
    );
  });

  const [userId, id] = ['019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b21', '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b22'];
  const next = { type: 'check_out', reason: 'work', occurredAt: '2026-05-12T16:30:00.000Z' };
  const change = { old: { id, ...next }, new: next };
  const good = { userId, cause: 'forgotten', note: null, changes: [change] };

  it.each([
    ['userId', { userId: 'ada' }],
    ['note', { note: 'a'.repeat(501) }],
    ['note', { note: 'a\u202eb' }],
    ['changes', { changes: null }],
    ['changes.1', { changes: [change, null] }],
    ['changes.0.old.id', { changes: [{ old: { ...next, id: id.toUpperCase() }, new: null }] }],
    ['changes.0.new.type', { changes: [{ old: null, new: { ...next, type: 'in' } }] }],
    ['changes.0.new.reason', { changes: [{ old: null, new: { ...next, reason: null } }] }],
    ['changes.0.new.occurredAt', { changes: [{ old: null, new: { ...next, occurredAt: '2026-05-12' } }] }],
  ])('is rejected at %s if it has %j', (path, changed) => {
    expect(faultPath(() => readCorrection({ ...good, ...changed }, ''))).toBe(path);
    expect(readCorrection(good, '')).toBe(good);
  });

  it('may have ten changes, and a note of 500 characters on several lines', () => {
    const many = { ...good, changes: Array(10).fill({ old: null, new: next }) };
    expect(readCorrection(many, '')).toBe(many);
    const noted = { ...good, note: `First line.\n\n${'a'.repeat(487)}` };
    expect(readCorrection(noted, '')).toBe(noted);
  });
});

describe('the statement of a correction', () => {
  const statements: fc.Arbitrary<CorrectionStatement> = fc.record({
    v: fc.constant(1 as const),
    issuer: fc.webUrl({ validSchemes: ['https'] }).map((url) => new URL(url).origin),
    ...{ tenant: ids, correctionId: ids, createdAt: times },
    environment: fc.constantFrom('live' as const, 'test' as const),
    company: fc.stringMatching(/^[A-Za-z0-9]{1,20}$/),
    correctionSha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  });

  it('is read as it is, and hashed as its canonical JSON', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        expect(readCorrectionStatement(statement)).toBe(statement);
        expect(correctionDigest(statement)).toBe(hashOf(statement));
      }),
    );
  });

  it('has another digest when any of its fields is another one', () => {
    fc.assert(
      fc.property(statements, statements, (statement, other) => {
        for (const name of Object.keys(statement) as (keyof CorrectionStatement)[])
          if (statement[name] !== other[name])
            expect(correctionDigest({ ...statement, [name]: other[name] })).not.toBe(
              correctionDigest(statement),
            );
      }),
    );
  });

  it('is rejected without any of its fields, with one more, or with one of another form, at its path', () => {
    fc.assert(
      fc.property(statements, fc.constantFrom('', ' ', null, 0, [], {}), (statement, wrong) => {
        for (const name of Object.keys(statement)) {
          expect(faultPath(() => readCorrectionStatement(without(statement, name)))).toBe(name);
          expect(faultPath(() => readCorrectionStatement({ ...statement, [name]: wrong }))).toBe(name);
        }
        expect(faultPath(() => readCorrectionStatement({ ...statement, extra: 1 }))).toBe('extra');
      }),
      { numRuns: 30 },
    );
  });
});
