import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditEvent, canonicalJson, genesisHash, linkHash } from '../../ledger/audit-chain.js';
import { checkRows, SEPARATOR } from './check-rows.js';
import { createRowChecker } from './row-checker.js';

const TENANT = '01890a5d-ac96-774b-bcce-b302099a8057';
const start = { hash: genesisHash(TENANT, 'live'), seq: 0, at: 0 };

const plain = fc.stringMatching(/^[\w .:-]{0,20}$/);
const id = fc.option(fc.uuid(), { nil: null });
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.constant(null),
  fc.maxSafeInteger(),
);
const event = fc.record({
  actorId: id,
  entityId: id,
  actorType: plain,
  action: plain,
  entityType: plain,
  status: fc.constantFrom<AuditEvent['status']>('success', 'failure'),
  summary: plain,
  metadata: fc.dictionary(fc.string({ unit: 'grapheme' }), scalar, { maxKeys: 4 }),
  pauseMs: fc.oneof(fc.nat(3), fc.nat(100_000)),
});

/** As PostgreSQL writes jsonb: keys by length and then bytes, a space after each colon and comma. */
const jsonbText = (metadata: AuditEvent['metadata']) => {
  const keys = Object.keys(metadata).sort(
    (left, right) =>
      Buffer.byteLength(left) - Buffer.byteLength(right) ||
      Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${JSON.stringify(metadata[key])}`).join(', ')}}`;
};
const SAMPLE = {
  actorId: null,
  entityId: null,
  actorType: 'tenant',
  action: 'device.created',
  entityType: 'device',
  status: 'success' as const,
  summary: 'Device enrolled',
  metadata: {},
  pauseMs: 1,
};
const quoted = (value: string | null) => (value === null ? 'null' : `"${value}"`);

function chainOf(events: readonly (typeof event extends fc.Arbitrary<infer E> ? E : never)[]) {
  let { hash, seq, at } = { ...start, at: Date.UTC(2026, 0, 1) };
  return events.map(({ pauseMs, ...fields }, n) => {
    seq += 1;
    at += pauseMs;
    const eventId = `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`;
    const createdAt = new Date(at).toISOString();
    const canonical = canonicalJson({ ...fields, environment: 'live', seq, id: eventId, createdAt });
    const prevHash = hash;
    hash = linkHash(prevHash, canonical);
    return [
      String(seq),
      eventId,
      hash,
      prevHash,
      canonical,
      String(at),
      fields.action,
      quoted(fields.actorId),
      fields.actorType,
      quoted(fields.entityId),
      fields.entityType,
      jsonbText(fields.metadata),
      fields.status,
      fields.summary,
    ];
  });
}
const ID = 1;
const METADATA = 11;
const linesOf = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(SEPARATOR));
const check = (rows: readonly (readonly string[])[]) => checkRows(start, 'live', linesOf(rows));
const chain = fc.array(event, { minLength: 1, maxLength: 6 }).map(chainOf);

describe('rows of an audit chain', () => {
  it('are valid to the last one in an intact chain, with any metadata', () => {
    fc.assert(
      fc.property(chain, (rows) => {
        const [seq, id, hash, , , at] = rows.at(-1) as string[];
        expect(check(rows)).toEqual({ link: { hash, seq: Number(seq), at: Number(at), id } });
      }),
    );
  });

  it('break at the row with an altered column, after its predecessor', () => {
    fc.assert(
      fc.property(chain, fc.nat(), fc.nat(13), fc.string({ minLength: 1 }), (rows, place, column, other) => {
        const altered = rows.map((row) => [...row]);
        const at = place % rows.length;
        const row = altered[at] as string[];
        fc.pre(other !== row[column] && !(column === METADATA && isSameJson(other, row[column] as string)));
        row[column] = other;
        const { link, broken } = check(altered);
        expect(broken?.brokenRowId).toBe(row.join(SEPARATOR).split(SEPARATOR)[ID]);
        expect(link.seq).toBe(at);
      }),
    );
  });

  it.each([
    ['a tab or a line break in a column', 13, 'one\ttwo\nthree'],
    ['a separator in a column', 13, `one${SEPARATOR}two`],
    ['metadata that are no JSON', METADATA, '{'],
    ['a time that is none', 5, 'Infinity'],
    ['null in place of an empty string', 7, 'null'],
  ])('break as `columns_altered` at %s', (_, column, value) => {
    const [row = []] = chainOf([{ ...SAMPLE, actorId: '' }]);
    expect(check([row]).broken).toBeUndefined();
    expect(check([row.with(column, value)]).broken).toEqual({
      reason: 'columns_altered',
      brokenRowId: row[ID],
    });
    expect(check([row.slice(0, -1)]).broken?.reason).toBe('columns_altered');
  });

  it('break at a missing, repeated or misplaced row', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 2, maxLength: 6 }).map(chainOf), fc.nat(), (rows, place) => {
        const at = place % (rows.length - 1);
        const [row, next] = [rows[at], rows[at + 1]] as [string[], string[]];
        const orders = [rows.toSpliced(at, 1), rows.toSpliced(at, 0, row), rows.toSpliced(at, 2, next, row)];
        for (const order of orders) expect(check(order).broken?.reason).toBe('row_missing');
      }),
    );
  });

  it('break after a wrong predecessor, at a time before its predecessor’s and in the other environment', () => {
    const rows = chainOf(fc.sample(event, { numRuns: 2, seed: 7 }));
    const lines = linesOf(rows);
    const at = Number(rows[0]?.[5]);
    const reasonOf = (...args: Parameters<typeof checkRows>) => checkRows(...args).broken?.reason;
    expect(reasonOf({ ...start, at }, 'live', lines)).toBeUndefined();
    expect(reasonOf({ ...start, at: at + 1 }, 'live', lines)).toBe('time_decreases');
    expect(reasonOf({ ...start, seq: 1 }, 'live', lines)).toBe('row_missing');
    expect(reasonOf({ ...start, hash: 'f'.repeat(64) }, 'live', lines)).toBe('link_broken');
    expect(reasonOf(start, 'test', lines)).toBe('columns_altered');
  });

  it('of a partial check may follow any hash, but must match it with their own hashes', () => {
    const rows = chainOf(fc.sample(event, { numRuns: 3, seed: 7 }));
    const first = { hash: undefined, seq: 1, at: 0 };
    expect(checkRows(first, 'live', linesOf(rows.slice(1))).broken).toBeUndefined();
    const forged = (rows[1] as string[]).with(3, 'f'.repeat(64));
    expect(checkRows(first, 'live', linesOf([forged])).broken?.reason).toBe('hash_wrong');
  });
});

describe('the row checker', () => {
  const rows = chainOf(Array.from({ length: 600 }, () => SAMPLE));

  it('gives the same results in its thread as without it', async () => {
    const { check: checkInThread, close } = createRowChecker();
    const broken = rows.with(599, (rows[599] as string[]).with(13, 'altered'));
    for (const chosen of [rows, rows.slice(0, 3), broken])
      expect(await checkInThread(start, 'live', linesOf(chosen))).toEqual(check(chosen));
    await close();
  });
});

function isSameJson(left: string, right: string): boolean {
  try {
    return canonicalJson(JSON.parse(left)) === canonicalJson(JSON.parse(right));
  } catch {
    return false;
  }
}
