import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditEvent, canonicalJson, genesisHash, linkHash } from '../../ledger/audit-chain.js';
import { followSegment } from './segment.js';

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

/** As PostgreSQL writes jsonb: keys by length and then bytes, a space behind each colon and comma. */
const jsonbText = (metadata: AuditEvent['metadata']) => {
  const keys = Object.keys(metadata).sort(
    (left, right) =>
      Buffer.byteLength(left) - Buffer.byteLength(right) ||
      Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${JSON.stringify(metadata[key])}`).join(', ')}}`;
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
      hash,
      prevHash,
      canonical,
      fields.action,
      quoted(fields.actorId),
      fields.actorType,
      String(at),
      quoted(fields.entityId),
      fields.entityType,
      eventId,
      jsonbText(fields.metadata),
      fields.status,
      fields.summary,
    ];
  });
}
const segmentOf = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join('\t')).join('\n');
const chain = fc.array(event, { minLength: 1, maxLength: 6 }).map(chainOf);

describe('a segment', () => {
  it('of a sound chain is followed to its last row, whatever the metadata hold', () => {
    fc.assert(
      fc.property(chain, (rows) => {
        const [seq, hash, , , , , , at, , , eventId] = rows.at(-1) as string[];
        expect(followSegment(start, 'live', segmentOf(rows))).toEqual({
          hash,
          seq: Number(seq),
          at: Number(at),
          id: eventId,
        });
      }),
    );
  });

  it('is not followed when any column of any row is another', () => {
    fc.assert(
      fc.property(chain, fc.nat(), fc.nat(13), fc.string({ minLength: 1 }), (rows, place, column, other) => {
        const altered = rows.map((row) => [...row]);
        const row = altered[place % rows.length] as string[];
        fc.pre(other !== row[column] && !(column === 11 && isSameJson(other, row[column] as string)));
        row[column] = other;
        expect(followSegment(start, 'live', segmentOf(altered))).toBeUndefined();
      }),
    );
  });

  it('is not followed when a row is missing, doubled or out of order', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 2, maxLength: 6 }).map(chainOf), fc.nat(), (rows, place) => {
        const at = place % (rows.length - 1);
        const [row, next] = [rows[at], rows[at + 1]] as [string[], string[]];
        const orders = [rows.toSpliced(at, 1), rows.toSpliced(at, 0, row), rows.toSpliced(at, 2, next, row)];
        for (const order of orders) expect(followSegment(start, 'live', segmentOf(order))).toBeUndefined();
      }),
    );
  });

  it('is not followed from another row, another time or in the other environment', () => {
    const rows = chainOf(fc.sample(event, { numRuns: 2, seed: 7 }));
    const segment = segmentOf(rows);
    const first = Number(rows[0]?.[7]);
    expect(followSegment({ ...start, at: first }, 'live', segment)).toBeDefined();
    expect(followSegment({ ...start, at: first + 1 }, 'live', segment)).toBeUndefined();
    expect(followSegment({ ...start, seq: 1 }, 'live', segment)).toBeUndefined();
    expect(followSegment({ ...start, hash: 'f'.repeat(64) }, 'live', segment)).toBeUndefined();
    expect(followSegment(start, 'test', segment)).toBeUndefined();
  });
});

function isSameJson(left: string, right: string): boolean {
  try {
    return canonicalJson(JSON.parse(left)) === canonicalJson(JSON.parse(right));
  } catch {
    return false;
  }
}
