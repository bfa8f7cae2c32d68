import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { AuditEvent, SignedHead } from '../generated/api.js';
import { type AuditExportEnd, verifyAuditChain, verifySignedHead } from './audit-chain.js';

type Line = AuditEvent | AuditExportEnd;
const VECTOR = new URL('../../../docs/vectors/audit-export.jsonl', import.meta.url);

/** A valid export, with every kind of text. */
const chain = (): Line[] =>
  readFileSync(VECTOR, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const rowsOf = (lines: Line[]) => lines.slice(0, -1) as AuditEvent[];
const headOf = (lines: Line[]) => (lines.at(-1) as AuditExportEnd).head;

it('verifies a valid export up to its signed head', async () => {
  const lines = chain();
  const progress: number[] = [];
  const verdict = await verifyAuditChain(lines, { onProgress: (rows) => void progress.push(rows) });
  const rows = lines.length - 1;
  expect(rows).toBeGreaterThan(2);
  expect(verdict).toEqual({ holds: true, rows, head: headOf(lines), signature: 'valid' });
  expect(progress).toEqual([rows]);
});

/** The chain with `count` more valid rows. `createdAt` gets each row's index. */
function longer(lines: Line[], count: number, createdAt: (at: number) => string): AuditEvent[] {
  const rows = rowsOf(lines);
  for (let at = 0; at < count; at++) {
    const { seq, hash: prevHash } = rows.at(-1) as AuditEvent;
    const event = {
      ...(rows[0] as AuditEvent),
      id: `more-${at}`,
      seq: seq + 1,
      createdAt: createdAt(at),
      metadata: {},
    };
    const { prevHash: _, hash: __, ...hashed } = event;
    const text = JSON.stringify(hashed, Object.keys(hashed).sort());
    const digest = createHash('sha256').update(text).digest();
    const hash = createHash('sha256').update(Buffer.from(prevHash, 'hex')).update(digest).digest('hex');
    rows.push({ ...event, prevHash, hash });
  }
  return rows;
}

it('reports progress on a long chain, and names the invalid row', async () => {
  const rows = longer(chain(), 600, () => '2026-05-13T00:00:00.000Z');
  const progress: number[] = [];
  const broken = rows.with(500, { ...(rows[500] as AuditEvent), entityId: 'another' });
  const verdict = await verifyAuditChain(broken, { onProgress: (count) => void progress.push(count) });
  expect(verdict).toEqual({
    holds: false,
    rows: 500,
    fault: 'hash_wrong',
    row: { id: rows[500]?.id, seq: 501 },
  });
  expect(progress).toEqual([256]);
});

it('rejects a row that is older than the previous one, even if its hash is valid', async () => {
  const rows = longer(
    chain(),
    2,
    (at) => ['2026-05-13T00:00:00.001Z', '2026-05-13T00:00:00.000Z'][at] as string,
  );
  expect(await verifyAuditChain([...rows, chain().at(-1) as Line])).toMatchObject({
    holds: false,
    fault: 'time_decreases',
    row: { id: 'more-1' },
  });
});

/** The change to the chain, the expected fault, and the index of the row that the verdict names. */
const FAULTS: readonly [
  what: string,
  change: (lines: Line[]) => Line[],
  fault: string,
  row: number | null,
][] = [
  ['a row was left out', (lines) => lines.toSpliced(1, 1), 'row_missing', 1],
  ['the first row was left out', (lines) => lines.slice(1), 'row_missing', 0],
  ...(['id', 'actorId', 'action', 'summary', 'createdAt', 'metadata'] as const).map(
    (field): (typeof FAULTS)[number] => [
      `the ${field} of a row was changed`,
      (lines) =>
        lines.with(1, {
          ...(lines[1] as AuditEvent),
          [field]: field === 'metadata' ? { a: 1 } : 'x',
        } as AuditEvent),
      'hash_wrong',
      1,
    ],
  ),
  [
    'a row contains text that no event can contain',
    (lines) => lines.with(0, { ...(lines[0] as AuditEvent), summary: '\ud800' }),
    'hash_wrong',
    0,
  ],
  [
    'a previous hash was changed',
    (lines) => lines.with(1, { ...(lines[1] as AuditEvent), prevHash: '0'.repeat(64) }),
    'link_broken',
    1,
  ],
  [
    'the chain belongs to another account',
    (lines) =>
      lines.with(-1, {
        environment: (lines.at(-1) as AuditExportEnd).environment,
        head: { ...headOf(lines), tenantId: '00000000-0000-7000-8000-000000000000' },
      }),
    'link_broken',
    0,
  ],
  [
    'the chain belongs to the other environment',
    (lines) => lines.with(-1, { environment: 'test', head: headOf(lines) }),
    'link_broken',
    0,
  ],
  ['the last row was cut off', (lines) => lines.toSpliced(-2, 1), 'head_differs', null],
  ...(['seq', 'hash', 'at'] as const).map((field): (typeof FAULTS)[number] => [
    `the head’s ${field} was changed`,
    (lines) =>
      lines.with(-1, {
        ...(lines.at(-1) as AuditExportEnd),
        head: {
          ...headOf(lines),
          [field]: { seq: 99, hash: '0'.repeat(64), at: '2020-01-01T00:00:00.000Z' }[field],
        },
      }),
    'head_differs',
    null,
  ]),
  ...(['signature', 'publicKey'] as const).map((field): (typeof FAULTS)[number] => [
    `the head’s ${field} is another`,
    (lines) => {
      const head = headOf(lines);
      const changed = (head[field] as string).replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
      return lines.with(-1, { ...(lines.at(-1) as AuditExportEnd), head: { ...head, [field]: changed } });
    },
    'head_signature',
    null,
  ]),
  [
    'the head has no key',
    (lines) =>
      lines.with(-1, { ...(lines.at(-1) as AuditExportEnd), head: { ...headOf(lines), publicKey: null } }),
    'head_signature',
    null,
  ],
  ['the head is missing', (lines) => lines.slice(0, -1), 'head_missing', null],
];

it.each(FAULTS)('rejects a chain if %s', async (_, change, fault, at) => {
  const lines = chain();
  expect((lines.at(-1) as AuditExportEnd).environment).toBe('live');
  const changed = change(lines);
  const verdict = await verifyAuditChain(changed);
  expect(verdict).toMatchObject({ holds: false, fault });
  expect('row' in verdict ? verdict.row : null).toEqual(
    at === null ? null : { id: (changed[at] as AuditEvent).id, seq: (changed[at] as AuditEvent).seq },
  );
});

it('requires the signing key of a saved head', async () => {
  const lines = chain();
  const { publicKey } = headOf(lines);
  expect(await verifyAuditChain(lines, { publicKey: publicKey as string })).toMatchObject({ holds: true });
  expect(await verifyAuditChain(lines, { publicKey: '0'.repeat(64) })).toMatchObject({
    holds: false,
    fault: 'head_key_unknown',
  });
});

/** A saved head, and the expected fault. */
const SAVED: readonly [what: string, change: Partial<SignedHead>, fault: string | undefined][] = [
  ['is the chain’s own', {}, undefined],
  ['is of an earlier row', { seq: 2, hash: rowsOf(chain())[1]?.hash as string }, undefined],
  ['is older than the first row', { seq: 0, hash: '0'.repeat(64) }, undefined],
  ['has another hash for its row', { seq: 2, hash: '0'.repeat(64) }, 'kept_head_differs'],
  ['is of a later row', { seq: 99 }, 'kept_head_differs'],
  ['is of another account', { tenantId: '00000000-0000-7000-8000-000000000000' }, 'other_chain'],
];

it.each(SAVED)('checks a chain against a saved head that %s', async (_, change, fault) => {
  const lines = chain();
  const verdict = await verifyAuditChain(lines, { since: { ...headOf(lines), ...change } });
  expect(verdict).toMatchObject(fault === undefined ? { holds: true } : { holds: false, fault });
});

it('requires the expected account and environment', async () => {
  const lines = chain();
  const { tenantId } = headOf(lines);
  await expect(verifyAuditChain(lines, { tenantId, environment: 'live' })).resolves.toMatchObject({
    holds: true,
  });
  const other = { holds: false, fault: 'other_chain' };
  await expect(verifyAuditChain(lines, { tenantId: 'another' })).resolves.toMatchObject(other);
  await expect(verifyAuditChain(lines, { environment: 'test' })).resolves.toMatchObject(other);
});

it('names an invalid row even if the head is missing', async () => {
  const rows = rowsOf(chain());
  const broken = rows.with(1, { ...(rows[1] as AuditEvent), summary: 'x' });
  expect(await verifyAuditChain(broken)).toMatchObject({ fault: 'hash_wrong', row: { seq: 2 } });
  expect(await verifyAuditChain(rows)).toMatchObject({ fault: 'head_missing', rows: rows.length });
});

it('checks the signature of a head alone', async () => {
  const head = headOf(chain());
  expect(await verifySignedHead(head, 'live')).toBe('valid');
  expect(await verifySignedHead(head, 'test')).toBe('wrong');
  expect(await verifySignedHead({ ...head, publicKey: null }, 'live')).toBe('wrong');
});
