import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../approvals/canonical-json.js';
import { StatementError } from '../approvals/fields.js';
import { type AttendanceStatement, attendanceDigest, readAttendanceStatement } from './statement.js';

function pathOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof StatementError) return error.path;
    throw error;
  }
}

const ids = fc.uuid();
const words = fc.stringMatching(/^[A-Za-z0-9]{1,10}( [A-Za-z0-9]{1,10}){0,2}$/);
const codes = fc.option(fc.stringMatching(/^[A-Za-z0-9._-]{1,32}$/));
const times = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const places = fc
  .option(fc.record({ deviceId: ids, name: words }))
  .map((place) => ({ place, mode: place ? ('desk' as const) : ('remote' as const) }));
const statements: fc.Arbitrary<AttendanceStatement> = fc
  .record({
    v: fc.constant(1 as const),
    issuer: fc.webUrl({ validSchemes: ['https'] }).map((url) => new URL(url).origin),
    ...{ tenant: ids, nonce: ids, scannedAt: times, company: words },
    environment: fc.constantFrom('live' as const, 'test' as const),
    type: fc.constantFrom('check_in' as const, 'check_out' as const),
    reason: fc.constantFrom('work' as const, 'break' as const),
    ...{ activity: codes, contract: codes, where: places },
  })
  .map(({ where, ...rest }) => ({ ...rest, ...where }));

describe('the statement of a check-in', () => {
  it('is read as it is, and hashed as its canonical JSON, whatever the order of its fields', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        expect(readAttendanceStatement(statement)).toBe(statement);
        const hash = createHash('sha256').update(canonicalJson(statement)).digest('hex');
        expect(attendanceDigest(statement)).toBe(hash);
        const reversed = Object.fromEntries(Object.entries(statement).reverse());
        expect(attendanceDigest(readAttendanceStatement(reversed))).toBe(hash);
      }),
    );
  });

  it('has another digest when any of its fields, or both of its place, is another one', () => {
    fc.assert(
      fc.property(statements, statements, (statement, other) => {
        for (const name of Object.keys(statement) as (keyof AttendanceStatement)[]) {
          if (canonicalJson(statement[name]) === canonicalJson(other[name])) continue;
          const changed = { ...statement, [name]: other[name] };
          expect(attendanceDigest(changed)).not.toBe(attendanceDigest(statement));
        }
        const { place } = statement;
        if (!place) return;
        for (const name of ['deviceId', 'name'] as const) {
          const changed = { ...statement, place: { ...place, [name]: `${place[name]}x` } };
          expect(attendanceDigest(changed)).not.toBe(attendanceDigest(statement));
        }
      }),
    );
  });

  it('is rejected without any of its fields, or with one more, at the path of that field', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        for (const name of Object.keys(statement)) {
          const { [name]: _, ...rest } = { ...statement } as Record<string, unknown>;
          expect(pathOf(() => readAttendanceStatement(rest))).toBe(name);
        }
        expect(pathOf(() => readAttendanceStatement({ ...statement, extra: null }))).toBe('extra');
        if (!statement.place) return;
        const { deviceId, name } = statement.place;
        for (const [place, path] of [
          [{ name }, 'place.deviceId'],
          [{ deviceId }, 'place.name'],
          [{ deviceId, name, extra: 1 }, 'place.extra'],
        ] as const)
          expect(pathOf(() => readAttendanceStatement({ ...statement, place }))).toBe(path);
      }),
      { numRuns: 30 },
    );
  });

  const [tenant, deviceId, nonce] = [1, 2, 3].map((n) => `019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b2${n}`);
  const desk = {
    ...{ v: 1, issuer: 'https://id.example.com', tenant, environment: 'live', company: 'Example GmbH' },
    ...{ type: 'check_in', reason: 'work', activity: 'A-1', contract: null, mode: 'desk' },
    ...{ place: { deviceId, name: 'Entrance' }, scannedAt: '2026-05-12T09:30:00.000Z', nonce },
  };

  it.each([
    ['v', 2],
    ['v', '1'],
    ['issuer', 'https://id.example.com/'],
    ['issuer', 'id.example.com'],
    ['tenant', deviceId?.toUpperCase()],
    ['environment', 'production'],
    ['company', ''],
    ['company', ' Example'],
    ['company', 'a'.repeat(201)],
    ['company', 'Exam\u200bple'],
    ['type', 'verify'],
    ['reason', 'lunch'],
    ['activity', ''],
    ['activity', 'a'.repeat(33)],
    ['activity', 'a b'],
    ['activity', 'a\n'],
    ['contract', 'ä'],
    ['contract', undefined],
    ['mode', 'gate'],
    ['place', null],
    ['place', 'Entrance'],
    ['scannedAt', '2026-05-12T09:30:00Z'],
    ['scannedAt', '2026-05-12T09:30:00.000+00:00'],
    ['scannedAt', '2026-02-30T09:30:00.000Z'],
    ['scannedAt', 1778578200000],
    ['nonce', '0123456789abcdef0123456789abcdef'],
  ])('is rejected with the %s %j', (name, value) => {
    expect(pathOf(() => readAttendanceStatement({ ...desk, [name]: value }))).toBe(name);
  });

  it('has a place at a desk, with an id and a name that can be shown, and none elsewhere', () => {
    const read = (change: object) => pathOf(() => readAttendanceStatement({ ...desk, ...change }));
    expect(read({})).toBeUndefined();
    expect(read({ mode: 'remote', place: null })).toBeUndefined();
    expect(read({ mode: 'remote' })).toBe('place');
    expect(read({ place: { deviceId: 'desk-1', name: 'Entrance' } })).toBe('place.deviceId');
    expect(read({ place: { deviceId, name: 'a\nb' } })).toBe('place.name');
  });

  it.each([null, [], 'statement', 1, {}])('is rejected as %j', (value) => {
    expect(pathOf(() => readAttendanceStatement(value))).toBeDefined();
  });
});
