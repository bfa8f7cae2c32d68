import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultPath } from '../../test/support/fault-path.js';
import { canonicalJson } from '../approvals/canonical-json.js';
import { shownName } from '../approvals/shown-name.js';
import { attendBind } from '../field.js';
import { type AttendanceStatement, attendanceDigest, readAttendanceStatement } from './statement.js';

/** Read as text, because a bundler would reject the half of a surrogate pair. */
const { attendance, names } = JSON.parse(
  readFileSync(new URL('../../../docs/vectors/attendance.json', import.meta.url), 'utf8'),
) as {
  readonly names: readonly Readonly<Record<'name' | 'otherwise' | 'shown', string>>[];
  readonly attendance: {
    readonly good: readonly Readonly<
      Record<'name' | 'canonical' | 'digest' | 'attendBind', string> & { statement: AttendanceStatement }
    >[];
    readonly bad: readonly Readonly<Record<'name' | 'path', string> & { statement: unknown }>[];
  };
};

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
  it.each(attendance.good)('is read, hashed and bound as docs/vectors say: $name', (vector) => {
    const read = readAttendanceStatement(vector.statement);
    expect(canonicalJson(read)).toBe(vector.canonical);
    expect(attendanceDigest(read)).toBe(vector.digest);
    const { tenant: tenantId, environment, nonce } = read;
    const bind = attendBind({ tenantId, environment, nonce, digest: vector.digest });
    expect(String(bind)).toBe(vector.attendBind);
  });

  it.each(attendance.bad)('is rejected with $name, at its path', (vector) => {
    expect(faultPath(() => readAttendanceStatement(vector.statement))).toBe(vector.path);
  });

  it.each(names)('has the name $shown for $name', ({ name, otherwise, shown }) => {
    expect(shownName(name, otherwise)).toBe(shown);
  });

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
          expect(faultPath(() => readAttendanceStatement(rest))).toBe(name);
        }
        expect(faultPath(() => readAttendanceStatement({ ...statement, extra: null }))).toBe('extra');
        if (!statement.place) return;
        const { deviceId, name } = statement.place;
        for (const [place, path] of [
          [{ name }, 'place.deviceId'],
          [{ deviceId }, 'place.name'],
          [{ deviceId, name, extra: 1 }, 'place.extra'],
        ] as const)
          expect(faultPath(() => readAttendanceStatement({ ...statement, place }))).toBe(path);
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
    ['issuer', 'id.example.com'],
    ['environment', 'production'],
    ['company', ''],
    ['company', ' Example'],
    ['type', 'verify'],
    ['reason', 'lunch'],
    ['activity', 'a b'],
    ['contract', 'ä'],
    ['contract', undefined],
    ['mode', 'gate'],
    ['place', 'Entrance'],
    ['scannedAt', '2026-05-12T09:30:00.000+00:00'],
    ['scannedAt', 1778578200000],
  ])('is rejected with the %s %j', (name, value) => {
    expect(faultPath(() => readAttendanceStatement({ ...desk, [name]: value }))).toBe(name);
  });

  it('has a place at a desk, with an id and a name that can be shown, and none elsewhere', () => {
    const read = (change: object) => faultPath(() => readAttendanceStatement({ ...desk, ...change }));
    expect(read({})).toBeUndefined();
    expect(read({ mode: 'remote', place: null })).toBeUndefined();
    expect(read({ mode: 'remote' })).toBe('place');
    expect(read({ place: { deviceId: 'desk-1', name: 'Entrance' } })).toBe('place.deviceId');
    expect(read({ place: { deviceId, name: 'a\nb' } })).toBe('place.name');
  });

  it.each([null, [], 'statement', 1, {}])('is rejected as %j', (value) => {
    expect(faultPath(() => readAttendanceStatement(value))).toBeDefined();
  });
});
